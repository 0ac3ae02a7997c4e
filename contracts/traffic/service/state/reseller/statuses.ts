/** The statuses of a reseller's websites: enabling or disabling one of them leaves the others as they are. */
import { isJsonObject } from '../../../../json/object.ts';
import { recordId } from '../../../../json/record-ids.ts';
import type { ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { changedNothing } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';
import { listedWebsites } from './listed-websites.ts';
import { MAX_ACCOUNTS } from './passwords.ts';
import { MAX_WEBSITES, ONLY_NAMED } from './subscriptions.ts';

export const STATUS_STATE_CLAUSES = [ONLY_NAMED];

/** Of one website another client may have changed the status in the same moment. */
const MIN_CHANGED = 2;

interface Account {
  /** The last list: the status of each website. */
  shown: { readonly statuses: ReadonlyMap<string, number>; readonly endMs: number } | undefined;
  /** The call that enabled or disabled a website since; `isOpen`: more than one did, or its outcome is not known. */
  change: { readonly id: string; readonly step: Step; readonly isOpen: boolean } | undefined;
}

export class StatusState {
  readonly #pending: PendingFindings;
  readonly #byKey = new Memory<Account>({ entries: MAX_ACCOUNTS });

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  /** Takes a call that enables or disables a website. `key`: what the account is known by. */
  changed(call: ServiceRequest, key: string, kind: string): void {
    if (changedNothing(call)) return;
    const account = this.#ofKey(key);
    this.#pending.takeBack(account);
    const isOpen = kind !== 'served' || account.change !== undefined || call.seen.startMs < (account.shown?.endMs ?? 0);
    account.change = { id: call.match?.params.website ?? '', step: stepOf(call), isOpen };
  }

  /** Takes a list of websites, and compares it with the one before. */
  read(call: ServiceRequest, key: string): void {
    const { seen } = call;
    const account = this.#ofKey(key);
    const statuses = statusesIn(call);
    const { shown, change } = account;
    if (statuses === undefined || seen.startMs < (change?.step.endMs ?? 0)) {
      Object.assign(account, { shown: undefined, change: undefined });
      return;
    }
    account.shown = { statuses, endMs: seen.endMs };
    account.change = undefined;
    if (shown === undefined || change === undefined || change.isOpen || !isExpected(shown.endMs, seen.startMs)) return;
    const given = statuses.get(change.id);
    const changed = [...statuses].filter(
      ([id, status]) =>
        id !== change.id && status === given && shown.statuses.has(id) && shown.statuses.get(id) !== status,
    );
    if (changed.length < MIN_CHANGED) return;
    const { name, n } = change.step;
    const ids = changed.slice(0, 3).map(([id]) => id);
    this.#pending.breaks(call, account, '', ONLY_NAMED, {
      message: `websiteStatus of ${changed.length} other websites (${ids.join(', ')}${changed.length > 3 ? ' …' : ''}) became that of the website which ${name} (exchange ${n}) was for`,
      pointer: '/websites',
      expected: shown.statuses.get(ids[0] ?? ''),
      actual: given,
    });
  }

  #ofKey(key: string): Account {
    return this.#byKey.get(key) ?? this.#byKey.set(key, { shown: undefined, change: undefined });
  }
}

/** Undefined for a list that is too long, or is none. */
function statusesIn(call: ServiceRequest): ReadonlyMap<string, number> | undefined {
  const list = listedWebsites(call);
  if (list === undefined || list.length > MAX_WEBSITES) return undefined;
  return new Map(
    list.flatMap((record): [string, number][] =>
      isJsonObject(record) && typeof record.websiteStatus === 'number'
        ? [[recordId(record, 'websiteID') ?? '', record.websiteStatus]]
        : [],
    ),
  );
}
