/** Long texts in every language of a title: a service may refuse them, but must not cut them in the second language either. */
import type { Context } from '../../../harness/check/context.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { inOneLanguage } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { type Method, readMethod, readPoint } from '../steps/reading.ts';
import { LINE_TEXT, LONG_SYMBOLS_TEXT, LONG_TEXT, pointAt } from '../steps/values.ts';
import { faultsOf, inEach } from './titled.ts';

type Text = ReturnType<typeof inOneLanguage>;

/** A way by which a title comes to a method or a point. */
interface Way {
  readonly what: string;
  /** The clause about a title in one language that comes so. */
  readonly kept: string;
  /** The same in each language, where other checks judge it. */
  readonly each?: string;
  send(title: Text): Promise<ServiceResponse>;
  /** The title that was sent last. */
  read(): Promise<unknown>;
}

/** All ways, to one method with its points. */
function waysTo(context: Context, method: Method): Way[] {
  const { delivery, given, send } = context;
  const { handle } = method;
  let made: Method = method;
  let added = 0;
  return [
    {
      what: 'a new method',
      kept: 'delivery.method.title-kept',
      send: async (title) => {
        const tried = await tryMethod(context, delivery, { title });
        made = tried.method ?? made;
        if (tried.method !== undefined) given.doneWith(tried.method);
        return tried.response;
      },
      read: async () => (await readMethod(context, made)).title,
    },
    {
      what: 'a method that was updated',
      kept: 'delivery.method.update-applies',
      each: 'delivery.multilanguage.object-sets-named-languages',
      send: (title) => send(delivery.changeMethod(handle, { title }), 'change'),
      read: async () => (await readMethod(context, method)).title,
    },
    {
      what: 'a new point',
      kept: 'delivery.point.title-kept',
      send: (title) => {
        added += 1;
        return send(delivery.addPoint(handle, { ...pointAt(context, `added-${added}`), title }), 'add');
      },
      read: async () => (await readPoint(context, method, `added-${added}`)).title,
    },
    {
      what: 'a point of a list',
      kept: 'delivery.batch.fields-kept',
      each: 'delivery.batch.fields-kept',
      send: (title) => send(wholeList(method, [{ ...pointAt(context, 'listed'), title }]), 'batch'),
      read: async () => (await readPoint(context, method, 'listed')).title,
    },
    {
      what: 'a point that was updated',
      kept: 'delivery.point.update-applies',
      each: 'delivery.multilanguage.object-sets-named-languages',
      send: (title) => send(delivery.changePoint(handle, 'listed', { title }), 'change'),
      read: async () => (await readPoint(context, method, 'listed')).title,
    },
  ];
}

/** Asserts that each way keeps the longest text that it takes. */
export async function keepsLongTexts(context: Context): Promise<void> {
  const { delivery, expect, given } = context;
  // A store may hold no further method.
  const method = await unlessUndecided(() => given.newMethod(delivery));
  if (method === undefined) return;
  for (const { what, kept, each, send, read } of waysTo(context, method)) {
    const isKept = async (text: Text): Promise<boolean> =>
      !isServed(await send(text)) || faultsOf(context, text, await read()).length === 0;
    for (const words of [LONG_SYMBOLS_TEXT, LONG_TEXT, LINE_TEXT]) {
      const text = inEach(context, `${what === 'a point that was updated' ? '2' : ''}${words}`);
      if (!isServed(await send(text))) continue;
      const lost = faultsOf(context, text, await read());
      if (lost.length > 0) {
        // A text that is not kept in one language either is cut whatever its language; a short one is not cut at all.
        given.holds(await isKept(inOneLanguage(context, words)), kept, `the title of ${what} in one language is lost`);
        if (each !== undefined)
          given.holds(await isKept(inEach(context, 'Short words')), each, `a short title of ${what} is lost`);
      }
      expect.noFaults(lost, `a long title of ${what} must read back in every language`);
      break;
    }
  }
  given.doneWith(method);
}
