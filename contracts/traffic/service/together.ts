/**
 * What the calls of one check show together: a later read of what an earlier call wrote, a walk along the pages of a list. A run
 * judges every check so, whatever the check itself is about; a read that no assertion uses is evidence as well.
 */
import type { InterfaceName } from '../../envelopes/index.ts';
import { matchPath } from '../../operations/match.ts';
import type { Breach, Exchange } from '../../run/events.ts';
import type { RuleContext, ServiceRequest } from '../call.ts';
import type { JsonTexts } from '../reading/json-texts.ts';
import { behindBase, SeenExchange } from '../reading/seen.ts';
import type { Notes } from '../tally.ts';
import { LIST_CLAUSES, ListRule } from './lists/index.ts';
import { STATE_CLAUSES, stateRule } from './state/index.ts';

/**
 * Clauses that are left to their own checks: another client may change the settings of the account meanwhile, and when a subscription
 * shows is open. Whether either is so has to be asked of the target, which rules over traffic cannot.
 */
const LEFT_TO_CHECKS: ReadonlySet<string> = new Set([
  'reseller.settings.set-applies',
  'reseller.settings.set-keeps-others',
  'reseller.premium.enable',
  'reseller.premium.enable-plus',
  'reseller.premium.disable',
  'reseller.website.only-named-website-changes',
]);
const JUDGED: ReadonlySet<string> = new Set(
  [...STATE_CLAUSES, ...LIST_CLAUSES].filter((clause) => !LEFT_TO_CHECKS.has(clause)),
);

const FACTS: RuleContext['facts'] = {
  ...{ keys: {}, headersComplete: true, complete: false, languages: [] },
  isAlone: true,
};

/** Calls are numbered by worker: only the number of the decisive one is put into those of the run. */
const NUMBER = / \(exchange \d+\)/g;

interface Rules {
  readonly state: ReturnType<typeof stateRule>;
  readonly list: ListRule;
}

/** Takes the calls of one check in the order in which their responses came. */
export class CallsTogether {
  readonly #found = new Map<string, Breach>();
  #rules = new Map<string, Rules>();
  readonly #texts: Pick<JsonTexts, 'parse'> | undefined;

  /** `texts`: JSON texts that were parsed before. */
  constructor(texts?: Pick<JsonTexts, 'parse'>) {
    this.#texts = texts;
  }

  /** Takes a call of the interface whose address is `base`, which ends with `/v1/` or `/api/`. */
  add(exchange: Exchange, document: InterfaceName, base: string): void {
    const seen = new SeenExchange(exchange, this.#texts);
    const behind = behindBase(seen, base);
    const match = matchPath(document, behind);
    const call: ServiceRequest = { seen, document, base, behind, match, operation: match?.operations.get(seen.method) };
    const { state, list } = this.#rulesOf(base);
    state.call(call);
    // Others change the list of methods meanwhile.
    if (call.operation?.id === 'listPoints') list.call(call);
  }

  /** Something else than these calls may have changed anything. What was found before stays. */
  forget(): void {
    this.#rules = new Map();
  }

  /** What the calls break so far, the first of each clause. */
  end(): readonly Breach[] {
    for (const { state } of this.#rules.values()) state.end();
    return [...this.#found.values()];
  }

  #rulesOf(base: string): Rules {
    const known = this.#rules.get(base);
    if (known !== undefined) return known;
    const scene: RuleContext = { notes: this.#notes(), facts: FACTS };
    const state = stateRule(scene);
    const rules = { state, list: new ListRule(scene, state) };
    this.#rules.set(base, rules);
    return rules;
  }

  #notes(): Notes {
    return {
      keeps: () => undefined,
      advises: () => undefined,
      undecided: () => undefined,
      breaks: (clause, exchange, { message, ...finding }) => {
        if (JUDGED.has(clause) && !this.#found.has(clause))
          this.#found.set(clause, { clause, exchange, reason: message.replaceAll(NUMBER, ''), ...finding });
      },
    };
  }
}
