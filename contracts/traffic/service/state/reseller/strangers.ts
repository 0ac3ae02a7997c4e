/** Calls for a website that is not the reseller's: neither in the list before the call, nor in the one after it. */
import { isJsonObject } from '../../../../json/object.ts';
import { recordId } from '../../../../json/record-ids.ts';
import type { ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';
import { listedWebsites } from './listed-websites.ts';

const CLAUSE = 'reseller.website.unknown-refused';
export const STRANGER_CLAUSES = [CLAUSE];

/** What the lists of an account have shown. */
interface Account {
  /** Websites that any list named: one that was there once may be hidden now. */
  readonly listed: Set<string>;
  readMs: number;
  /** Websites that calls were served for, and that no list has named. */
  readonly unlisted: Map<string, Step>;
}

const MAX_ACCOUNTS = 50;
const MAX_LISTED = 2_000;
const MAX_UNLISTED = 50;

/** Takes served calls, in their order. */
export class Strangers {
  readonly #pending: PendingFindings;
  readonly #byCaller = new Memory<Account>({ entries: MAX_ACCOUNTS });

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  /** `account`: what the caller is known by. */
  call(call: ServiceRequest, account: string): void {
    const { operation, match } = call;
    const website = match?.params.website;
    const isList = operation?.id === 'listWebsites';
    // A website that is hidden while it is disabled may be enabled.
    if (!isList && (website === undefined || operation?.id === 'enableWebsite')) return;
    if (isList) this.#read(call, account);
    else if (website !== undefined && /^\d+$/.test(website)) this.#noteUnlisted(call, account, website);
  }

  #noteUnlisted(call: ServiceRequest, key: string, website: string): void {
    const account = this.#byCaller.get(key);
    if (account === undefined || account.listed.has(website) || account.unlisted.size >= MAX_UNLISTED) return;
    if (isExpected(account.readMs, call.seen.startMs)) account.unlisted.set(website, stepOf(call));
  }

  #read(call: ServiceRequest, key: string): void {
    const { seen } = call;
    const list = listedWebsites(call);
    if (list === undefined || !list.every(isJsonObject)) return;
    const account =
      this.#byCaller.get(key) ??
      this.#byCaller.set(key, { listed: new Set(), readMs: seen.endMs, unlisted: new Map() });
    if (account.listed.size + list.length > MAX_LISTED) {
      this.#byCaller.delete(key);
      return;
    }
    for (const record of list) account.listed.add(recordId(record, 'websiteID') ?? '');
    for (const [website, step] of account.unlisted) {
      if (seen.startMs < step.endMs) continue;
      account.unlisted.delete(website);
      if (account.listed.has(website) || !isExpected(step.endMs, seen.startMs)) continue;
      this.#pending.breaks(call, account, website, CLAUSE, {
        message: `${step.name} (exchange ${step.n}) was served for the website ${website}, which is not in the list of websites before and after it`,
        pointer: 'status',
        expected: 'a refusal',
        actual: 200,
      });
    }
    account.readMs = seen.endMs;
  }
}
