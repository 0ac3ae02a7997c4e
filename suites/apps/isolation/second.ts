/** A second installation keeps what it is given as the first one does (spec: B. Apps endpoints). */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { dataIn, dataRemembered, type Owner } from '../steps/data.ts';
import { TWO_INSTALLATIONS } from '../steps/options.ts';
import { languagesOf, plainSnippet, remembered, type Slot, snippetIn } from '../steps/snippets.ts';

const STRING = 'apps.data.string-kept';
const OBJECT = 'apps.data.object-kept';
const SNIPPET = 'apps.snippet.language-kept';

/** A value of an installation. */
interface Value {
  readonly what: string;
  readonly clause: string;
  readonly value: unknown;
  readonly prepare: () => Promise<void>;
  readonly set: () => Promise<ServiceResponse>;
  readonly read: () => Promise<ServiceResponse>;
  readonly valueIn: (response: ServiceResponse) => unknown;
}

/** More than fits into 100 characters. */
const LONG = `Garā iela & "7" ${'no. '.repeat(30)}end`;

const dataOf = (context: Context, owner: Owner, value: unknown): Value => ({
  what: typeof value === 'string' ? 'data that is a string' : 'data that is an object',
  clause: typeof value === 'string' ? STRING : OBJECT,
  value,
  prepare: () => dataRemembered(context, owner, typeof value === 'string' ? STRING : OBJECT),
  set: () => context.send(owner.apps.setData(value), 'set'),
  read: () => context.send(owner.apps.getData(), 'read'),
  valueIn: dataIn,
});

const snippetOf = (context: Context, slot: Slot, text: string): Value => ({
  what: `the snippet for pages in ${slot.language}`,
  clause: SNIPPET,
  value: text,
  prepare: () => remembered(context, slot),
  set: () => context.send(slot.apps.setSnippet(text, slot.language), 'set'),
  read: () => context.send(slot.apps.snippetIn(slot.language), 'read'),
  valueIn: snippetIn,
});

/** The first language that an installation lists; undefined where it lists none. */
async function languageListed(context: Context, apps: Apps): Promise<string | undefined> {
  const response = await context.send(apps.getLanguages(), 'read');
  const languages = isServed(response) && isJsonObject(response.json) ? response.json.languages : undefined;
  const [first] = Array.isArray(languages) ? languages : [];
  return typeof first === 'string' && first !== '' ? first : undefined;
}

/** Whether a value that was accepted reads back; undefined if it was refused, because which values are taken is open. */
async function isKept({ prepare, read, set, value, valueIn }: Value): Promise<boolean | undefined> {
  await prepare();
  if (!isServed(await set())) return undefined;
  return isDeepStrictEqual(valueIn(await read()), value);
}

export const checks: readonly Check[] = [
  check(
    'apps.isolation.kept-like-first',
    'MUST keep data and snippets of a second installation as it keeps those of the first',
    { clauses: [STRING, OBJECT, SNIPPET], additional: true, ...TWO_INSTALLATIONS },
    async (context) => {
      const { apps, expect, otherApps, resources } = context;
      const mark = resources.newMark();
      const texts = [`${mark} ${LONG}`, { mark, list: ['1', 2, { deep: [LONG] }], flag: true }];
      const [own] = await languagesOf(context);
      const other = await languageListed(context, otherApps);
      const valuesOf = (one: Apps, installation: 'own' | 'other', language: string | undefined): Value[] => [
        ...texts.map((value) => dataOf(context, { apps: one, installation }, value)),
        ...(language === undefined
          ? []
          : [snippetOf(context, { apps: one, installation, language }, plainSnippet(mark))]),
      ];
      const ofOwn = valuesOf(apps, 'own', own);
      for (const [at, value] of valuesOf(otherApps, 'other', other).entries()) {
        const kept = await isKept(value);
        if (kept === undefined) continue;
        // What the first one does not keep either has checks of its own.
        const isOfSecond = kept || (await isKept(ofOwn[at]!)) === true;
        if (!isOfSecond) continue;
        expect.that(kept, `${value.what} of a second installation must read back, as of the first`, {
          clauses: [value.clause],
          expected: value.value,
        });
      }
      if (expect.asserted === 0) throw new Skipped('the second installation takes none of the values that were tried');
    },
  ),
];
