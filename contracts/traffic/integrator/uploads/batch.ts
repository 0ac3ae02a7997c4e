/**
 * Portions of an upload in the order in which they were sent (spec: Endpoints, "Batch replace rules"; Limits). What counts is
 * what the client meant: a call that was refused or not answered may come again, and a list may be begun again after it.
 */

import { isJsonObject } from '../../../json/object.ts';
import { inWords } from '../../../json/words.ts';
import { MAX_PORTION_ITEMS } from '../../../lists/portions.ts';
import type { RuleContext, ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { named, say } from '../../service/responses.ts';
import { PORTION_CLAUSES, type Portion, readPortion } from './portion.ts';

const FIRST = 'provider.calls.first-portion-initializes';
const LATER = 'provider.calls.later-portions-continue';
const LAST = 'provider.calls.last-portion-finalizes';
const EARLIER = 'provider.calls.earlier-portions-open';
const AGAIN = 'provider.calls.failed-portion-sent-again';
const UNIQUE = 'provider.calls.ids-unique';

export const BATCH_CLAUSES = [...PORTION_CLAUSES, FIRST, LATER, LAST, EARLIER, AGAIN, UNIQUE];

/** The uploads to one set of handles, for one country or for all, one after another. */
interface Upload {
  last: Portion;
  /** A list is under way. */
  open: boolean;
  /** Where each id of the list under way, or of the one just finished, was sent. */
  readonly ids: Map<string, number>;
  firstIds: ReadonlySet<string>;
  portions: number;
  /** Portions of the list under way that were refused, and of which nothing was sent again. */
  lost: readonly Portion[];
  /** A portion of the list under way was refused, and points of it were sent again. */
  resent: boolean;
  /** What began this list came for a refused portion of a list before it. */
  readonly insteadOf?: Restart | undefined;
  /** Two portions were under way at once, so that the order in which the service saw them is unknown. */
  overlapping: boolean;
}

/** A refused portion of a list, other than its first one, that came again and began a list. */
interface Restart {
  readonly portion: Portion;
  /** The points that the list before it began with. */
  readonly firstIds: ReadonlySet<string>;
}

/** Lists whose uploads are remembered, and ids of all of them; the one not heard of for longest is forgotten. */
const MAX_UPLOADS = 500;
const MAX_IDS_OF_ALL = 400_000;
/** Ids of one list that are remembered; repeats beyond that are not found. */
const MAX_IDS = 200_000;

/** Lists of one size, each of other points, are chunks of one list when they have so many points. */
const MIN_CHUNK = 10;

/** Refused portions of one list that are remembered. */
const MAX_LOST = 20;

/** Times are recorded in whole milliseconds, and may be off by one at either end. */
const CLOCK_MS = 2;

/** A rule with memory: takes every call of one base in their order, and `end` after the last one. */
export class BatchRule {
  readonly #scene: RuleContext;
  readonly #notes: RuleContext['notes'];
  readonly #facts: RuleContext['facts'];
  readonly #uploads = new Memory<Upload>({
    entries: MAX_UPLOADS,
    weight: { of: ({ ids }) => ids.size, most: MAX_IDS_OF_ALL },
  });
  /** By set of handles, the list that its latest portion belonged to. */
  readonly #latest = new Memory<string>({ entries: MAX_UPLOADS });

  constructor(scene: RuleContext) {
    this.#scene = scene;
    this.#notes = scene.notes;
    this.#facts = scene.facts;
  }

  call(call: ServiceRequest): void {
    if (call.operation?.id !== 'batchReplace') return;
    const portion = readPortion(call, this.#scene, BATCH_CLAUSES);
    if (portion === undefined) return;
    const list = this.#listOf((call.match?.params.handle ?? '').split(',').sort().join(','), portion);
    const upload = this.#uploads.get(list);
    const next = upload === undefined ? this.#begun(call, portion) : this.#continued(call, portion, upload);
    this.#uploads.set(list, next);
    this.#judgeLost(next, portion);
    this.#judgeRestart(next, portion);
  }

  end(): void {
    for (const { open, last, overlapping, portions } of this.#uploads.values()) {
      if (!open || overlapping || last.postponed) continue;
      const finding = {
        message: `the last of ${portions} portions (${last.name}) does not finish the list, so the list is never published`,
        pointer: '/is_finalization',
        expected: true,
        actual: false,
      };
      if (this.#facts.complete) this.#notes.breaks(LAST, last.n, finding);
      else this.#notes.undecided(LAST, last.n, 'the recording ends before the last portion of an upload');
    }
  }

  /**
   * The list that a portion belongs to. A call for a country replaces the points of that country alone, so a client may have lists of
   * several under way; one that names another country in the middle of a list continues that list.
   */
  #listOf(handles: string, { country, initializes }: Portion): string {
    const own = JSON.stringify([handles, country ?? null]);
    const before = this.#latest.get(handles) ?? own;
    const list = initializes || this.#uploads.get(own)?.open === true ? own : before;
    this.#latest.set(handles, list);
    return list;
  }

  /** The first call for a list that the recording holds. */
  #begun(call: ServiceRequest, portion: Portion): Upload {
    const { n } = portion;
    if (portion.initializes) this.#judgeFlag(call, FIRST, 'is_initialization', true);
    else if (!this.#facts.complete)
      this.#notes.undecided(FIRST, n, 'the recording may begin in the middle of an upload');
    else {
      this.#notes.breaks(FIRST, n, {
        message: `${portion.name} is the first portion and does not start a list`,
        pointer: '/is_initialization',
        expected: 'true, or omitted',
        actual: false,
      });
    }
    return this.#started(call, portion);
  }

  #started(call: ServiceRequest, portion: Portion): Upload {
    const upload: Upload = {
      last: portion,
      open: !portion.finalizes,
      ids: new Map(),
      firstIds: new Set(portion.ids),
      portions: 1,
      lost: [],
      resent: false,
      overlapping: false,
    };
    this.#judgeIds(upload, portion);
    if (portion.finalizes) this.#judgeFlag(call, LAST, 'is_finalization', true);
    else this.#judgeFlag(call, EARLIER, 'is_finalization', false);
    return upload;
  }

  #continued(call: ServiceRequest, portion: Portion, upload: Upload): Upload {
    const { last } = upload;
    // The same call again after it was not served: nothing new was said.
    if (!last.served && last.content === portion.content) return { ...upload, last: portion };
    if (portion.startMs + CLOCK_MS < last.endMs) return this.#overlapped(portion, upload);
    if (portion.initializes) {
      const begins = !upload.open || !last.served || portion.ids.some((id) => upload.firstIds.has(id));
      if (begins || portion.ids.length === 0) {
        this.#judgeFlag(call, FIRST, 'is_initialization', true);
        this.#adviseOnWholeLists(portion, upload);
        return { ...this.#started(call, portion), insteadOf: restartOf(portion, upload) };
      }
      if (!upload.overlapping) {
        this.#notes.breaks(LATER, portion.n, {
          message: `${portion.name} starts a new list while an upload is in progress, so the earlier portions are lost`,
          pointer: '/is_initialization',
          expected: false,
          actual: true,
        });
      }
    } else {
      this.#judgeFlag(call, LATER, 'is_initialization', false);
      if (!upload.open && !upload.overlapping) {
        this.#notes.breaks(EARLIER, last.n, {
          message: `${last.name} finishes the list, but another portion follows`,
          pointer: '/is_finalization',
          expected: false,
          actual: true,
        });
      }
    }
    upload.portions += 1;
    upload.last = portion;
    upload.open = !portion.finalizes;
    this.#judgeIds(upload, portion);
    if (portion.finalizes) this.#judgeFlag(call, LAST, 'is_finalization', true);
    else this.#judgeFlag(call, EARLIER, 'is_finalization', false);
    return upload;
  }

  #overlapped(portion: Portion, upload: Upload): Upload {
    const reason = 'portions of one upload were sent at the same time, so their order is not known';
    for (const clause of [FIRST, LATER, LAST, EARLIER]) this.#notes.undecided(clause, portion.n, reason, 'target');
    // Which portions came after one that starts a list is as unknown.
    this.#judgeIds(portion.initializes ? { ...upload, ids: new Map() } : upload, portion);
    const open = upload.open && !portion.finalizes;
    return { ...upload, last: portion, portions: upload.portions + 1, overlapping: true, open };
  }

  /**
   * A list that is finished while a portion is missing in it. Which points of a refused portion come again is the client's affair; one
   * that is too large breaks a clause of its own.
   */
  #judgeLost(upload: Upload, portion: Portion): void {
    const isResent = (earlier: Portion): boolean => earlier.ids.some((id) => portion.ids.includes(id));
    const lost = upload.lost.filter((earlier) => !isResent(earlier));
    upload.resent ||= lost.length < upload.lost.length;
    const { length } = portion.ids;
    const isLost = portion.refused && length > 0 && length <= MAX_PORTION_ITEMS && lost.length < MAX_LOST;
    upload.lost = isLost ? [...lost, portion] : lost;
    if (!portion.finalizes || !portion.served || upload.overlapping) return;
    const [first] = upload.lost;
    if (first !== undefined) {
      this.#notes.breaks(AGAIN, portion.n, {
        message: `${portion.name} finishes the list although a portion of ${first.ids.length} points was refused and not sent again: they are missing in the list`,
        pointer: '/is_finalization',
        expected: 'the refused portion once more, or a new list',
        actual: true,
      });
    } else if (upload.resent) this.#notes.keeps(AGAIN, portion.n);
    upload.resent = false;
    upload.lost = [];
  }

  /**
   * A list that begins with the points of a refused portion, and is finished without those that the list before it began with: the
   * portion was sent again as if it were the first one. A client that starts over sends the others again, too.
   */
  #judgeRestart({ insteadOf, ids, overlapping }: Upload, { finalizes, served }: Portion): void {
    if (insteadOf === undefined || !finalizes || !served || overlapping) return;
    const { portion, firstIds } = insteadOf;
    if ([...firstIds].some((id) => ids.has(id))) return;
    this.#notes.breaks(LATER, portion.n, {
      message: `${portion.name} sends a refused portion again and starts a new list with it, so the earlier portions are lost`,
      pointer: '/is_initialization',
      expected: false,
      actual: true,
    });
  }

  /** The flag means what its place asks for; it must be a boolean, too. */
  #judgeFlag(
    call: ServiceRequest,
    clause: string,
    flag: 'is_initialization' | 'is_finalization',
    wanted: boolean,
  ): void {
    const body = call.seen.requestBody;
    const value = body.kind === 'json' && isJsonObject(body.value) ? body.value[flag] : undefined;
    const isRight = value === wanted || (wanted && value === undefined);
    say(this.#scene, clause, call.seen.n, isRight, {
      message: `${named(call)} sends ${flag} as ${inWords(value)} instead of a boolean`,
      pointer: `/${flag}`,
      expected: wanted,
      actual: value,
    });
  }

  #judgeIds(upload: Upload, portion: Portion): void {
    let repeated: string | undefined;
    const own = new Set<string>();
    for (const id of portion.ids) {
      if (upload.ids.has(id) || own.has(id)) repeated ??= id;
      if (own.size < MAX_IDS) own.add(id);
    }
    // Points of a portion that was not served may come again in another one.
    for (const id of portion.served ? own : []) if (upload.ids.size < MAX_IDS) upload.ids.set(id, portion.n);
    if (repeated === undefined) {
      if (portion.ids.length > 0 && upload.ids.size < MAX_IDS) this.#notes.keeps(UNIQUE, portion.n);
      return;
    }
    this.#notes.breaks(UNIQUE, portion.n, {
      message: `${portion.name} repeats the id ${JSON.stringify(repeated)} within the list that is uploaded`,
      pointer: '/pickup_points',
      expected: 'each id once in the whole list',
      actual: repeated,
    });
  }

  /** Full calls, or calls of one size, that each replace the whole list with other points: portions were meant, most likely. */
  #adviseOnWholeLists(portion: Portion, { last, open, portions }: Upload): void {
    // The list before came in portions, so this call starts the next list, whatever points it carries.
    if (portions > 1) return;
    const { length } = last.ids;
    const isFull =
      (length === MAX_PORTION_ITEMS || (length >= MIN_CHUNK && length === portion.ids.length)) && last.served;
    if (open || !isFull || portion.country !== undefined || last.country !== undefined || portion.ids.length === 0)
      return;
    const before = new Set(last.ids);
    if (portion.ids.some((id) => before.has(id))) return;
    this.#notes.advises(EARLIER, last.n, {
      message: `${last.name} publishes ${length} points, and the next call replaces all of them with others: portions of one list carry is_initialization and is_finalization`,
      pointer: '/is_finalization',
      expected: 'false in every portion but the last',
      actual: true,
    });
  }
}

/** What a list begins with where it begins with points of a refused portion of the one before it, which had begun with others. */
function restartOf(portion: Portion, { last, firstIds, insteadOf }: Upload): Restart | undefined {
  if (last.served || !portion.ids.some((id) => last.ids.includes(id))) return undefined;
  return last.initializes ? insteadOf : { portion, firstIds };
}
