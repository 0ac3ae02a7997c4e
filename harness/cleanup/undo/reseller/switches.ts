/**
 * What a check has done to the status and the subscription of websites by its own calls. If the last of them was the call that clean-up
 * would send, and it was served, clean-up sends nothing: a second response would prove no more than the first.
 */
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../../contracts/json/record-ids.ts';
import type { LedgerEntry } from '../../ledger.ts';

const STATUS = /^website\/(\d+)\/(?:enable|disable)\/$/;
const PREMIUM = /^website\/(\d+)\/(?:enable_premium\/[^/]+|disable_premium)\/$/;

interface LastCall {
  readonly path: string;
  isServed: boolean;
  /** A list of websites has shown the website without a subscription since. */
  isSeenWithout: boolean;
  /** A call may have started a subscription that none has stopped since; and before this call. */
  mayRun: boolean;
  readonly mightRunBefore: boolean;
}

const isStart = (path: string): boolean => path.includes('/enable_premium/');
const isStop = (path: string): boolean => path.endsWith('/disable_premium/');

export class WebsiteSwitches {
  readonly #status = new Map<string, LastCall>();
  readonly #premium = new Map<string, LastCall>();

  /** Notes a call that goes out. */
  sends(path: string): void {
    const of = this.#callsLike(path);
    if (of === undefined) return;
    const mightRunBefore = of.calls.get(of.website)?.mayRun ?? false;
    const mayRun = mightRunBefore || isStart(path);
    of.calls.set(of.website, { path, isServed: false, isSeenWithout: false, mayRun, mightRunBefore });
  }

  /** Notes that the last call of this path was refused. */
  refused(path: string): void {
    const of = this.#callsLike(path);
    const last = of?.calls.get(of.website);
    if (last?.path === path && !last.isServed) last.mayRun = last.mightRunBefore;
  }

  /** Notes that a call was served. */
  served(path: string, json: unknown): void {
    const of = this.#callsLike(path);
    const last = of?.calls.get(of.website);
    if (last?.path === path) {
      last.isServed = true;
      if (isStop(path)) last.mayRun = false;
    }
    if (path === 'websites/') this.#saw(isJsonObject(json) ? json.websites : undefined);
  }

  /** Whether the calls have put this back already. A subscription costs money: it has to be seen to be gone. */
  isBack(entry: LedgerEntry): boolean {
    if (entry.kind === 'website-status') {
      const last = this.#status.get(entry.website);
      return last?.isServed === true && last.path.endsWith(entry.old === 'enabled' ? '/enable/' : '/disable/');
    }
    if (entry.kind !== 'website-premium') return false;
    const last = this.#premium.get(entry.website);
    return last !== undefined && !last.mayRun && last.isSeenWithout;
  }

  /** Whether the last call was one that stopped the subscription, and was served. */
  hasStopped(website: RecordId): boolean {
    const last = this.#premium.get(website);
    return last?.isServed === true && isStop(last.path);
  }

  #callsLike(path: string): { readonly calls: Map<string, LastCall>; readonly website: string } | undefined {
    const [, ofStatus] = STATUS.exec(path) ?? [];
    if (ofStatus !== undefined) return { calls: this.#status, website: ofStatus };
    const [, ofPremium] = PREMIUM.exec(path) ?? [];
    return ofPremium === undefined ? undefined : { calls: this.#premium, website: ofPremium };
  }

  #saw(websites: unknown): void {
    for (const record of Array.isArray(websites) ? websites : []) {
      const last = isJsonObject(record) ? this.#premium.get(recordId(record, 'websiteID') ?? '') : undefined;
      if (last !== undefined) last.isSeenWithout = record.websiteIsPremium === false;
    }
  }
}
