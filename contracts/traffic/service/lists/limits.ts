/** Batch calls with more points than the contract allows (spec: Limits), next to one of the same service that was served. */

import { isJsonObject } from '../../../json/object.ts';
import { MAX_PORTION_ITEMS } from '../../../lists/portions.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { named } from '../responses.ts';

const WHOLE = 'delivery.batch.refuses-101-points';
const PORTION = 'delivery.batch.refuses-101-points-in-a-portion';
export const LIMIT_CLAUSES = [WHOLE, PORTION];

/** Refusals that wait for a call that was served, at most; more would say the same. */
const MAX_WAITING = 50;

/** A rule with memory: call it with every call of one base. */
export function limitRule({ notes }: RuleContext): (call: ServiceRequest) => void {
  const waiting: { clause: string; n: number }[] = [];
  let hasControl = false;

  return (call) => {
    const { seen, operation } = call;
    if (operation?.id !== 'batchReplace' || seen.requestBody.kind !== 'json') return;
    const body = seen.requestBody.value;
    const points = isJsonObject(body) ? body.pickup_points : undefined;
    const kind = responseKind(call);
    if (!isJsonObject(body) || !Array.isArray(points) || kind === 'skipped') return;
    if (points.length <= MAX_PORTION_ITEMS) {
      if (kind !== 'served') return;
      hasControl = true;
      for (const { clause, n } of waiting.splice(0)) notes.keeps(clause, n);
      return;
    }
    const isPortion = body.is_initialization === false || body.is_finalization === false;
    const clause = isPortion ? PORTION : WHOLE;
    // Only texts are ids that can be repeated: points without one are as many as they are.
    const different = new Set(points.map((point) => (typeof point?.id === 'string' ? point.id : Symbol('no id'))));
    if (kind === 'served' && different.size <= MAX_PORTION_ITEMS) {
      const message = `${named(call)} with ${points.length} points, some of which have one id, was served; a service may ignore such a list`;
      notes.undecided(clause, seen.n, message, 'target');
    } else if (kind === 'served') {
      notes.breaks(clause, seen.n, {
        message: `${named(call)} with ${points.length} points was served`,
        pointer: 'status',
        expected: 'a refusal: 4XX or 5XX with the error envelope',
        actual: seen.status,
      });
    } else if (hasControl) notes.keeps(clause, seen.n);
    else if (waiting.length < MAX_WAITING) waiting.push({ clause, n: seen.n });
  };
}
