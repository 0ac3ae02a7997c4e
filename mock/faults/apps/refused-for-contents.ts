/** Faults of installations that can't be set again: what is there has to be replaced. */
import type { Deviation } from '../../types/deviation.ts';
import { type InterceptedRequest, intercepts, refused } from '../interception.ts';
import { APPS, rowOf } from './interception.ts';

/** Refuses a call while the installation has what it would replace. */
const refusesOver = (path: RegExp, isSet: (met: InterceptedRequest) => boolean): NonNullable<Deviation['http']> =>
  intercepts('POST', path, (met) => (isSet(met) ? Promise.resolve(refused(409, 'There is one already.')) : met.pass()));

export const refusedForContentsFaults: readonly Deviation[] = [
  {
    id: 'apps.data-only-once',
    clause: 'apps.data.replaced-entirely',
    about: 'Data can not be set while the installation has a string.',
    http: refusesOver(APPS.setData, (met) => typeof rowOf(met)?.data === 'string'),
  },
  {
    id: 'apps.snippet-only-once',
    clause: 'apps.snippet.replaced',
    about: 'A snippet can not be set while there is one for all pages.',
    http: refusesOver(APPS.setSnippet, (met) => {
      const slot = met.service.rules.snippetSlot(null);
      return (rowOf(met)?.snippets[slot] ?? '') !== '';
    }),
  },
];
