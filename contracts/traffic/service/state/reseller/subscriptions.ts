/** The subscriptions of a reseller's websites, as served calls left them. */
import { isJsonObject } from '../../../../json/object.ts';
import { recordId } from '../../../../json/record-ids.ts';
import type { ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { changedNothing, isGone, REFUSED_CHANGES_NOTHING } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';
import { listedWebsites } from './listed-websites.ts';

const ENABLES = { premium: 'reseller.premium.enable', premiumplus: 'reseller.premium.enable-plus' } as const;
const DISABLES = 'reseller.premium.disable';
export const ONLY_NAMED = 'reseller.website.only-named-website-changes';

export const SUBSCRIPTION_STATE_CLAUSES = [...Object.values(ENABLES), DISABLES, ONLY_NAMED, REFUSED_CHANGES_NOTHING];

export const MAX_WEBSITES = 1_000;

interface Website {
  readonly id: string;
  /** The call that started its subscription. */
  started: { readonly level: keyof typeof ENABLES; readonly step: Step } | undefined;
  /** The call that stopped its subscription. */
  stopped: Step | undefined;
  /** What a list showed last. */
  shown: { readonly isPremium: boolean; readonly endMs: number } | undefined;
  /** A subscription that a call was refused to start or to stop. */
  refused: { readonly isPremium: boolean; readonly step: Step } | undefined;
}

export class SubscriptionState {
  readonly #pending: PendingFindings;
  readonly #websites = new Memory<Website>({ entries: MAX_WEBSITES });
  /** A subscription changed with no call between two reads: another client uses the account. */
  #isBusy = false;
  /** The website whose subscription was changed last. */
  #last: { readonly id: string; readonly step: Step } | undefined;

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  /** Takes a call that starts or stops a subscription. */
  changed(call: ServiceRequest, kind: string): void {
    const { match, operation } = call;
    const website = this.#websiteOf(match?.params.website ?? '');
    const step = stepOf(call);
    const isStart = operation?.id === 'enablePremium';
    if (changedNothing(call)) {
      if (!isGone(call) && call.seen.status !== 409) website.refused = { isPremium: isStart, step };
      return;
    }
    website.refused = undefined;
    // A read that overlaps with this call shows neither the old state for certain nor the new one.
    website.shown = undefined;
    for (const one of this.#websites.values()) this.#pending.takeBack(one, 'premium');
    const level = match?.params.subscription;
    const isKnown = level === 'premium' || level === 'premiumplus';
    website.started = isStart && kind === 'served' && isKnown ? { level, step } : undefined;
    website.stopped = !isStart && kind === 'served' ? step : undefined;
    this.#last = { id: website.id, step };
  }

  /** Takes a call that enables or disables a website, which may end its subscription: what is left of it is not stated. */
  switched(call: ServiceRequest): void {
    if (changedNothing(call)) return;
    const website = this.#websiteOf(call.match?.params.website ?? '');
    website.started = undefined;
    website.shown = undefined;
  }

  /** Takes a list of websites, and judges it by the changes since the last one. */
  read(call: ServiceRequest): void {
    const list = listedWebsites(call);
    if (list === undefined || list.length > MAX_WEBSITES) return;
    for (const record of list) {
      if (!isJsonObject(record) || typeof record.websiteIsPremium !== 'boolean') continue;
      const id = recordId(record, 'websiteID') ?? '';
      // Websites are many and subscriptions few: only what was changed is remembered.
      const isFull = this.#websites.size >= MAX_WEBSITES && this.#websites.get(id) === undefined;
      if (this.#last === undefined && isFull) continue;
      this.#judge(call, this.#websiteOf(id), record.websiteIsPremium);
    }
  }

  #judge(call: ServiceRequest, website: Website, isPremium: boolean): void {
    const { startMs, endMs } = call.seen;
    const { started, shown: before } = website;
    const step = started?.step ?? this.#last?.step;
    if (step !== undefined && startMs < step.endMs) return;
    const isByRefused = this.#judgeRefused(call, website, isPremium);
    website.shown = { isPremium, endMs };
    const wasWritten = this.#last !== undefined && (before === undefined || this.#last.step.endMs >= before.endMs);
    if (!wasWritten && !isByRefused && before !== undefined && before.isPremium !== isPremium) this.#isBusy = true;
    if (step === undefined || !isExpected(step.endMs, startMs)) return;
    this.#judgeNamed(call, website, isPremium);
    const isOther = this.#last !== undefined && this.#last.id !== website.id && started === undefined;
    if (!isOther || before === undefined || before.isPremium === isPremium || before.endMs > step.endMs) return;
    const what = `changed with ${step.name} (exchange ${step.n}), which was for another website`;
    this.#breaks(call, website, ONLY_NAMED, { what, isPremium, unless: () => this.#isBusy });
  }

  /** Judges a website whose subscription was started or stopped. */
  #judgeNamed(call: ServiceRequest, website: Website, isPremium: boolean): void {
    const { started, stopped } = website;
    if (started !== undefined && !isPremium) {
      website.started = undefined;
      const { name, n } = started.step;
      this.#breaks(call, website, ENABLES[started.level], {
        what: `is false after ${name} (exchange ${n})`,
        isPremium,
      });
    }
    if (stopped !== undefined && isPremium) {
      website.stopped = undefined;
      const what = `is still true after ${stopped.name} (exchange ${stopped.n})`;
      this.#breaks(call, website, DISABLES, { what, isPremium });
    }
  }

  /** A subscription that changed as a refused call would have changed it. Returns true if it did. */
  #judgeRefused(call: ServiceRequest, website: Website, isPremium: boolean): boolean {
    const { refused, shown: before } = website;
    if (refused === undefined || call.seen.startMs < refused.step.endMs) return false;
    website.refused = undefined;
    const isChanged = before !== undefined && before.isPremium !== isPremium && isPremium === refused.isPremium;
    if (!isChanged || before.endMs > refused.step.endMs || !isExpected(before.endMs, call.seen.startMs)) return false;
    const { name, n } = refused.step;
    const what = `is ${isPremium} after ${name} (exchange ${n}) was refused`;
    this.#breaks(call, website, REFUSED_CHANGES_NOTHING, { what, isPremium, unless: () => this.#isBusy });
    return true;
  }

  #breaks(call: ServiceRequest, website: Website, clause: string, { what, isPremium, unless }: Violation): void {
    const finding = {
      message: `websiteIsPremium of the website ${website.id} ${what}`,
      pointer: '/websites',
      expected: !isPremium,
      actual: isPremium,
    };
    this.#pending.breaks(call, website, 'premium', clause, finding, unless === undefined ? {} : { unless });
  }

  #websiteOf(id: string): Website {
    const unknown = { id, started: undefined, stopped: undefined, shown: undefined, refused: undefined };
    return this.#websites.get(id) ?? this.#websites.set(id, unknown);
  }
}

interface Violation {
  /** What is wrong with `websiteIsPremium`, as the end of a sentence. */
  readonly what: string;
  readonly isPremium: boolean;
  readonly unless?: () => boolean;
}
