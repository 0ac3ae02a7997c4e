/**
 * What a check has done to the status and the subscription of websites by its own calls. If the last of them was the call that clean-up
 * would send, and it was served, clean-up sends nothing: a second response would prove no more than the first.
 */
import { isObject } from '../../target/response/judge-response.ts';
import type { LedgerEntry } from '../ledger.ts';

const STATUS = /^website\/(\d+)\/(?:enable|disable)\/$/;
const PREMIUM = /^website\/(\d+)\/(?:enable_premium\/[^/]+|disable_premium)\/$/;

interface LastCall {
  readonly path: string;
  isServed: boolean;
  /** A list of websites has shown the website without a subscription since. */
  isSeenWithout: boolean;
}

export class WebsiteSwitches {
  readonly #status = new Map<string, LastCall>();
  readonly #premium = new Map<string, LastCall>();

  /** Notes a call that goes out. */
  sends(path: string): void {
    const of = this.#callsLike(path);
    if (of !== undefined) of.calls.set(of.website, { path, isServed: false, isSeenWithout: false });
  }

  /** Notes that a call was served. */
  served(path: string, json: unknown): void {
    const of = this.#callsLike(path);
    const last = of?.calls.get(of.website);
    if (last?.path === path) last.isServed = true;
    if (path === 'websites/') this.#saw(isObject(json) ? json.websites : undefined);
  }

  /** Whether the calls have put this back already. A subscription costs money: it has to be seen to be gone. */
  isBack(entry: LedgerEntry): boolean {
    if (entry.kind === 'website-status') {
      const last = this.#status.get(String(entry.website));
      return last?.isServed === true && last.path.endsWith(entry.old === 'enabled' ? '/enable/' : '/disable/');
    }
    if (entry.kind !== 'website-premium') return false;
    const last = this.#premium.get(String(entry.website));
    return last?.isServed === true && last.isSeenWithout && last.path.endsWith('/disable_premium/');
  }

  #callsLike(path: string): { readonly calls: Map<string, LastCall>; readonly website: string } | undefined {
    const [, ofStatus] = STATUS.exec(path) ?? [];
    if (ofStatus !== undefined) return { calls: this.#status, website: ofStatus };
    const [, ofPremium] = PREMIUM.exec(path) ?? [];
    return ofPremium === undefined ? undefined : { calls: this.#premium, website: ofPremium };
  }

  #saw(websites: unknown): void {
    for (const record of Array.isArray(websites) ? websites : []) {
      const last = isObject(record) ? this.#premium.get(String(record.websiteID)) : undefined;
      if (last !== undefined) last.isSeenWithout = record.websiteIsPremium === false;
    }
  }
}
