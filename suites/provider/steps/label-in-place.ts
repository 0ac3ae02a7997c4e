/** Label pages that take an order for another one, and show the label of that one. */
import type { Page } from '@playwright/test';
import { linksOf, pendingInput } from '../../../harness/integrator/page/form/pending-input.ts';
import { contentOf } from '../../../harness/integrator/page/visit.ts';
import type { DeliverySession, LabelRequest } from '../session.ts';
import { parameterOf, successesOf } from './callbacks.ts';

/** Fewer characters may be in the text of a page for another reason. */
const MIN_CODE = 6;

/** What was shown before the steps of a user that led on. */
export interface ShownBefore {
  readonly links: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Whether a page shows the label of one other order, by a link or by its tracking code, and has nothing else to do for a person. A page
 * that lists the latest labels shows several, or shows them beside its form already.
 */
export async function showsLabelOfAnother(
  session: DeliverySession,
  page: Page,
  { request, before }: { readonly request: LabelRequest; readonly before: ShownBefore },
): Promise<boolean> {
  const links = await linksOf(page);
  const text = (await contentOf(page)) ?? '';
  const isNew = (address: string): boolean => links.includes(address) && !before.links.includes(address);
  const isNewText = (code: string): boolean =>
    code.length >= MIN_CODE && text.includes(code) && !before.texts.some((one) => one.includes(code));
  const shown = labelsOfOthers(session, request).filter(
    ({ addresses, code }) => addresses.some(isNew) || isNewText(code),
  );
  const [label, more] = shown;
  if (label === undefined || more !== undefined) return false;
  return (await pendingInput(page, before.links, label.addresses)) === undefined;
}

interface KnownLabel {
  /** Of the label and of the parcel, as a browser writes them. */
  readonly addresses: readonly string[];
  readonly code: string;
}

/** What was reported for each other order. */
function labelsOfOthers(session: DeliverySession, request: LabelRequest): KnownLabel[] {
  const orderOf = ({ fields }: LabelRequest): string => parameterOf(fields, 'order_uuid') ?? '';
  return session.counterpart.issued
    .filter((other) => orderOf(other) !== orderOf(request))
    .flatMap((other) => successesOf(session, other).slice(0, 1))
    .map(({ pairs }) => ({
      addresses: ['label_url', 'tracking_url'].flatMap((name) => {
        const address = parameterOf(pairs, name) ?? '';
        return URL.canParse(address) ? [new URL(address).href] : [];
      }),
      code: parameterOf(pairs, 'tracking_code') ?? '',
    }));
}
