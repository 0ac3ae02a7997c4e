/** How a run of a check differs from the usual one. */
import type { Choices } from '../plain/refusals/choices.ts';
import type { CodeForm } from '../plain/stand-ins/codes.ts';
import { wordsOf } from '../plain/stand-ins/kinds.ts';
import type { StandIns } from '../plain/stand-ins/stand-ins.ts';
import type { ServiceResponse } from '../target/client/types.ts';

export interface ContextOptions {
  /** Receives each response, in the order of the requests. */
  readonly onResponse?: (response: ServiceResponse, role: string) => void;
  /** Replace the check's own values in calls. */
  readonly standIns?: StandIns;
  /** Says of a refused call whether it carries a value that has a plainer stand-in. */
  readonly watch?: StandIns;
  /** Whether the check sends the minimum that proves its rule. */
  readonly sendsMinimum?: boolean;
  /** Whether all countries of the check are that of the store. */
  readonly hasOneCountry?: boolean;
  /** Whether methods have no label address, as long as the target has taken none. The minimum has none, either. */
  readonly hasNoLabelAddress?: boolean;
  /** The form of ids and references, if it is not the usual one. */
  readonly codes?: CodeForm | undefined;
  /** Shared by the runs of one property: which refusals may be due to values alone. */
  readonly choices?: Choices;
  /** Whether the check may work on objects of other checks, and use what they have just read. */
  readonly mayShare?: boolean;
}

/** How a run with these options differs from the usual one, such as `in plain values`; undefined for the usual one. */
export function variationOf(options: ContextOptions): string | undefined {
  const { codes, standIns } = options;
  const minimum = lessOf(options);
  if (codes !== undefined) return [`with codes of ${codes}`, minimum].filter(Boolean).join(', ');
  if (standIns?.only !== undefined) return [`with ${wordsOf(standIns.only)}`, minimum].filter(Boolean).join(', ');
  return minimum ?? (standIns === undefined ? undefined : 'in plain values');
}

/** What a run asks less of; undefined for nothing. */
function lessOf({ sendsMinimum, hasOneCountry, hasNoLabelAddress }: ContextOptions): string | undefined {
  if (sendsMinimum === true) return 'sending the minimum';
  const less = [
    ...(hasOneCountry === true ? ['in the country of the store'] : []),
    ...(hasNoLabelAddress === true ? ['without label addresses'] : []),
  ];
  return less.length === 0 ? undefined : less.join(' and ');
}
