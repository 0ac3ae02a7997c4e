/**
 * Every accepted text of a method reads back, in addition to the checks of each field.
 */
import type { MultilanguageText } from '../../../contracts/fields/multilanguage.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import {
  eachText,
  FieldsOfTexts,
  type PartOfTexts,
  type TextOfField,
  withEscapedText,
} from '../steps/awkward-values/texts.ts';
import { givenShape, inOneLanguage, METHOD_FIELDS, pick, readBackFaults, websiteOf } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listedByHandle, type Method, readMethod } from '../steps/reading.ts';

const APPLIES = 'delivery.method.update-applies';
/** Longer texts are not written to the ledger: the reference with the run's mark is restored at the end. */
const MAX_WRITTEN_CHARS = 300;

/** A service may take a text in one of them and refuse it in the other. */
const FIELDS = ['title', 'reference'] as const;

/** The title with the mark in another language of the website; undefined if the website has only one. */
function withMark(context: Context, title: MultilanguageText, mark: string): MultilanguageText | undefined {
  const other = websiteOf(context).languages.find((language) => !Object.hasOwn(Object(title), language));
  return typeof title === 'string' || other === undefined ? undefined : { ...title, [other]: mark };
}

/** A method that a text was created with, and its fields that are judged. */
interface Made {
  readonly name: string;
  readonly fields: Json;
  readonly method: Method;
  readonly response: ServiceResponse;
}

/** How the fields of a method differ from those that it was created with. */
const faultsOf = (context: Context, fields: Json, read: Json | undefined) =>
  METHOD_FIELDS.filter((field) => Object.hasOwn(fields, field)).flatMap((field) =>
    readBackFaults(context, field, fields[field], read?.[field]),
  );

export const checks: readonly Check[] = [
  check(
    'delivery.method.update-keeps-texts',
    'MUST return every text of an accepted update of a method',
    { ...OWN_METHODS, clauses: [APPLIES], additional: true },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await given.newMethod(delivery);
      const places = new FieldsOfTexts(FIELDS);
      const takes = async (name: string, textOf: TextOfField, part: PartOfTexts): Promise<boolean> => {
        const values: Json = { title: inOneLanguage(context, textOf(0)), reference: textOf(1) };
        // Cleanup recognizes the method by its reference, so a reference without the run's mark is recorded first.
        if (textOf(1).length <= MAX_WRITTEN_CHARS) method.willCarry(textOf(1));
        const fields = places.fieldsFor(part);
        const taken: (typeof FIELDS)[number][] = [];
        for (const some of fields.length > 1 ? [fields, ...fields.map((field) => [field])] : [fields]) {
          const sent = pick(values, some);
          const response = await send(withEscapedText(name, delivery.changeMethod(method.handle, sent)), 'change');
          if (!isServed(response)) continue;
          const read = await readMethod(context, method);
          if (some.includes('title')) givenShape(context, 'title', read.title);
          expect.noFaults(
            faultsOf(context, sent, read),
            `after an update with the text "${name}" the new values must be returned`,
            { response },
          );
          taken.push(...some);
          if (some === fields) break;
        }
        return places.note(part, taken);
      };
      let taken = 0;
      try {
        taken = await eachText(context, takes);
      } finally {
        await send(delivery.changeMethod(method.handle, { reference: method.fields.reference }), 'restore');
      }
      given.granted(taken > 0, APPLIES, 'no update was accepted');
    },
  ),
  check(
    'delivery.method.create-keeps-texts',
    'MUST return any text that a method was created with',
    { ...OWN_METHODS, clauses: ['delivery.method.create-stores'], additional: true },
    async (context) => {
      const { delivery, expect, given } = context;
      const made: Made[] = [];
      /** Reads a method alone. Where the owner can have few methods, it makes room for the next one then. */
      const isKept = async ({ name, fields, method, response }: Made): Promise<void> => {
        const read = await readMethod(context, method);
        if ('title' in fields) givenShape(context, 'title', read.title);
        expect.noFaults(
          faultsOf(context, fields, read),
          `a method created with the text "${name}" must be returned with it`,
          { response },
        );
        given.doneWith(method);
      };
      /** `marked` is sent over `fields` and not judged. */
      const takes = async (name: string, fields: Json, marked: Json, markOfTitle?: string): Promise<boolean> => {
        const create = () =>
          tryMethod(
            context,
            delivery,
            { ...fields, ...marked },
            { written: (call) => withEscapedText(name, call), ...(markOfTitle === undefined ? {} : { markOfTitle }) },
          );
        let { response, method } = await create();
        if (method === undefined && given.isFull(response) && made.length > 0) {
          for (const one of made.splice(0)) await isKept(one);
          ({ response, method } = await create());
        }
        if (method === undefined) return false;
        const one = { name, fields, method, response };
        // At the first try the list shows all of them: the check of updates reads each text alone.
        if (context.explains) await isKept(one);
        else made.push(one);
        return true;
      };
      const places = new FieldsOfTexts(FIELDS);
      const taken = await eachText(context, async (name, textOf, part) => {
        const title = inOneLanguage(context, textOf(0));
        const text = textOf(1);
        const mark = context.resources.newMark();
        const fields = places.fieldsFor(part);
        const marked = withMark(context, title, mark);
        // In both at once if another language can carry the mark that identifies the method, else in sequence.
        const both = fields.length > 1 && marked !== undefined;
        if (both && (await takes(name, { title, reference: text }, { title: marked }, mark)))
          return places.note(part, FIELDS);
        const isInTitle =
          fields.includes('title') &&
          ((await takes(name, { title }, { reference: mark })) ||
            // A service may take only references that it knows.
            (marked !== undefined && (await takes(name, { title }, { title: marked, reference: undefined }, mark))));
        // Another mark: where a response names no handle, the first method would be taken for the second one.
        const next = context.resources.newMark();
        const isInReference =
          fields.includes('reference') &&
          (await takes(name, { reference: text }, { title: inOneLanguage(context, next) }, next));
        return places.note(
          part,
          fields.filter((field) => (field === 'title' ? isInTitle : isInReference)),
        );
      });
      given.granted(taken > 0, 'delivery.method.create-stores', 'no method was created');
      const handles = made.map(({ method }) => method.handle);
      const listed = await listedByHandle(context, delivery, handles);
      for (const { name, fields, method } of made)
        expect.noFaults(
          faultsOf(context, fields, listed.get(method.handle)),
          `a method created with the text "${name}" must be listed with it`,
          { clauses: ['delivery.method.list-agrees-with-read'] },
        );
    },
  ),
];
