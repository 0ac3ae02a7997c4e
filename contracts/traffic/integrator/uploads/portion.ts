/** One batch call as a portion of an upload, and what can be judged by it alone (spec: Endpoints, "Batch replace rules"). */

import { isJsonObject } from '../../../json/object.ts';
import { pointerOf } from '../../../json/pointer.ts';
import { inWords } from '../../../json/words.ts';
import { MAX_PORTION_ITEMS } from '../../../lists/portions.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { named, say } from '../../service/responses.ts';

const SIZE = 'provider.calls.portion-size';
const LIST = 'provider.calls.list-sent';

export const PORTION_CLAUSES = [SIZE, LIST];

export interface Portion {
  readonly n: number;
  readonly name: string;
  readonly ids: readonly string[];
  readonly country: unknown;
  readonly initializes: boolean;
  readonly finalizes: boolean;
  /** The same for the same body, so that a repeated call is known. */
  readonly content: string;
  /** Served; a refused or unanswered call may be made again. */
  readonly served: boolean;
  /** Refused with an envelope that says so: surely nothing of it was taken. */
  readonly refused: boolean;
  /** Not served, and not for what it is: the client may well come again later. */
  readonly postponed: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

/** Reads a call and judges what needs no other; undefined if its body can't be read, which leaves `clauses` undecided. */
export function readPortion(call: ServiceRequest, scene: RuleContext, clauses: readonly string[]): Portion | undefined {
  const { seen } = call;
  const body = seen.requestBody;
  if (body.kind === 'unknown') {
    for (const clause of clauses) scene.notes.undecided(clause, seen.n, `a batch call can't be judged: ${body.why}`);
    return undefined;
  }
  // A body that is not JSON breaks a clause of its own.
  if (body.kind !== 'json' && body.kind !== 'none') return undefined;
  const value = body.kind === 'json' && isJsonObject(body.value) ? body.value : {};
  const list = value.pickup_points;
  const name = named(call);
  say(scene, LIST, seen.n, Array.isArray(list), {
    message:
      body.kind === 'json' && !isJsonObject(body.value)
        ? `${name} sends ${Array.isArray(body.value) ? 'a list' : inWords(body.value)} instead of an object with pickup_points`
        : `${name} sends ${list === undefined ? 'no pickup_points' : `pickup_points as ${inWords(list)}`}`,
    pointer: pointerOf('pickup_points'),
    expected: 'an array',
    actual: inWords(list),
  });
  const items = Array.isArray(list) ? list : [];
  if (Array.isArray(list)) {
    say(scene, SIZE, seen.n, items.length <= MAX_PORTION_ITEMS, {
      message: `${name} carries ${items.length} points`,
      pointer: pointerOf('pickup_points'),
      expected: `at most ${MAX_PORTION_ITEMS}`,
      actual: items.length,
    });
  }
  const ids = items.map((item) => (isJsonObject(item) ? item.id : undefined));
  const { startMs, endMs } = seen;
  return {
    n: seen.n,
    name,
    ids: ids.filter((id): id is string => typeof id === 'string' && !isRedacted(id)),
    country: value.country ?? undefined,
    initializes: meansTrue(value.is_initialization),
    finalizes: meansTrue(value.is_finalization),
    content: body.kind === 'json' ? body.text : '',
    served: responseKind(call) === 'served',
    refused: responseKind(call) === 'refused' && ((seen.status >= 400 && seen.status < 500) || seen.status === 503),
    postponed: seen.status === 429 || seen.status >= 500,
    startMs,
    endMs,
  };
}

/** What a flag means, even of a wrong type; left out it is true. */
const meansTrue = (flag: unknown): boolean => flag !== false && flag !== 'false' && flag !== 0 && flag !== '0';
