/** Faults of values that are cut where few look: in the second language, within a character, in lists or updates only. */
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import type { Rules } from '../../../types/rules.ts';
import type { Text } from '../../../types/text.ts';
import { staged } from '../batch/uploads.ts';

const IN_EACH_LANGUAGE = 'delivery.multilanguage.object-read-back';
const MAX_CHARACTERS = 100;
const MAX_KEYS = 20;

/** A title of which every language but the first has a limit. */
const cutInOthers = (title: Text | null): Text | null =>
  typeof title !== 'object' || title === null
    ? title
    : Object.fromEntries(
        Object.entries(title).map(([language, text], at) => [
          language,
          at === 0 ? text : text.slice(0, MAX_CHARACTERS),
        ]),
      );

const withFewKeys = (point: Point): Point => {
  const { attributes } = point;
  return typeof attributes === 'object'
    ? { ...point, attributes: Object.fromEntries(Object.entries(attributes).slice(0, MAX_KEYS)) }
    : point;
};

/** Changes a point after an update. */
const updated =
  (change: (point: Point) => Point): ((correct: Rules) => Partial<Rules>) =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null ? point : change(point);
    },
  });

export const cutValueFaults: readonly Deviation[] = [
  {
    id: 'texts.method-cut-in-second-language',
    clause: IN_EACH_LANGUAGE,
    about: 'The title of a method is cut at 100 characters, except in its first language.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const method = correct.mergeMethod(before, input, site);
        return { ...method, title: cutInOthers(method.title) };
      },
    }),
  },
  {
    id: 'texts.string-cut-at-64',
    clause: 'delivery.multilanguage.string-sets-default-language',
    about: 'A plain string as the title of a method is cut at 64 characters; an object of languages is kept whole.',
    rules: (correct) => ({
      mergeMethod: (before, { title, ...input }, site) =>
        correct.mergeMethod(
          before,
          {
            ...input,
            ...(title === undefined ? {} : { title: typeof title === 'string' ? title.slice(0, 64) : title }),
          },
          site,
        ),
    }),
  },
  {
    id: 'texts.list-cut-in-second-language',
    clause: IN_EACH_LANGUAGE,
    about: 'A batch call cuts titles at 100 characters, except in their first language.',
    rules: staged((points) => points.map((point) => ({ ...point, title: cutInOthers(point.title) }))),
  },
  {
    id: 'texts.update-cut-in-second-language',
    clause: IN_EACH_LANGUAGE,
    about: 'An update of a point cuts its title at 100 characters, except in its first language.',
    rules: updated((point) => ({ ...point, title: cutInOthers(point.title) })),
  },
  {
    id: 'points.address-cut-within-symbol',
    clause: 'delivery.point.address-kept',
    about: 'A long address is cut if a symbol of two units crosses the limit of its column; others are kept whole.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) => {
        const point = correct.mergePoint(before, id, input, site);
        const cut = point.address?.slice(0, MAX_CHARACTERS) ?? '';
        return /[\ud800-\udbff]$/.test(cut) ? { ...point, address: cut.slice(0, -1) } : point;
      },
    }),
  },
  {
    id: 'batch.attributes-of-20-keys',
    clause: 'delivery.batch.fields-kept',
    about: 'A batch call keeps 20 attributes of a point; an add keeps all.',
    rules: staged((points) => points.map(withFewKeys)),
  },
  {
    id: 'points.update-keeps-20-attributes',
    clause: 'delivery.point.update-applies',
    about: 'An update keeps 20 attributes of a point; an add keeps all.',
    rules: updated(withFewKeys),
  },
];
