/** Faults of label addresses with letters beyond ASCII, which a service may refuse or write as escapes. */

import type { Deviation } from '../../../types/deviation.ts';
import { created } from './fields.ts';

/** An address without these letters, when a method is made or when it is updated. */
const losesLetters = (isMeant: (isNew: boolean) => boolean): NonNullable<Deviation['rules']> => {
  return (correct) => ({
    mergeMethod: (before, input, site) => {
      const fields = correct.mergeMethod(before, input, site);
      if (!isMeant(before === null)) return fields;
      return { ...fields, print_label_url: fields.print_label_url?.replaceAll(/[^\0-\x7f]/g, '') ?? null };
    },
  });
};

export const labelAddressFaults: readonly Deviation[] = [
  {
    id: 'methods.label-url-loses-default-port',
    clause: 'delivery.method.print-label-url-kept',
    about: 'A label address is written as a reader of addresses would: its host in lower case, without the usual port.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const fields = correct.mergeMethod(before, input, site);
        const address = fields.print_label_url?.replace(/^https?:\/\/[^/?#]*/, (origin) => new URL(origin).origin);
        return { ...fields, print_label_url: address ?? null };
      },
    }),
  },
  {
    id: 'methods.label-url-names-once',
    clause: 'delivery.method.print-label-url-kept',
    about: 'Of the parameters of a new label address that share a name the last one is kept.',
    rules: created(({ print_label_url: url }) => ({ print_label_url: url?.replace(/\?[^#]*/, namesOnce) ?? null })),
  },
  {
    id: 'methods.label-url-loses-letters',
    clause: 'delivery.method.print-label-url-kept',
    about: 'Letters beyond ASCII are removed from the label address of a new method; percent escapes stay.',
    rules: losesLetters((isNew) => isNew),
  },
  {
    id: 'methods.label-url-update-loses-letters',
    clause: 'delivery.method.update-applies',
    about: 'Letters beyond ASCII are removed from a label address in an update; a new method keeps them.',
    rules: losesLetters((isNew) => !isNew),
  },
];

/** A query in which each name is there once. */
function namesOnce(query: string): string {
  const parts = query.slice(1).split('&');
  return `?${[...new Map(parts.map((part) => [part.split('=', 1)[0], part])).values()].join('&')}`;
}
