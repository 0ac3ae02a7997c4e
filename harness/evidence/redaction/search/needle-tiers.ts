/**
 * Needles that are added one by one are indexed apart, in tiers: a service that sets a new cookie with each response must not cost
 * a whole index each time. A tier that has grown too large becomes part of the next, which takes eight times as many.
 */
import { indexOf, type Needle, type NeedleIndex } from './needle-index.ts';
import { needlesOf, type SecretText } from './needles.ts';

const FIRST_TIER_CHARS = 2 * 1024;
const TIER_GROWTH = 8;
const TIERS = 4;

/** Secrets whose needles share an index. */
interface Tier {
  readonly needles: Map<string, readonly Needle[]>;
  chars: number;
  /** Undefined until it is needed, and after each change. */
  index: NeedleIndex | undefined;
}

export class NeedleTiers {
  readonly #tiers = Array.from({ length: TIERS }, (): Tier => ({ needles: new Map(), chars: 0, index: undefined }));
  /** Not searched for yet: what to look for is worked out when something is searched. */
  readonly #added = new Map<string, SecretText>();

  add(secret: SecretText): void {
    this.#added.set(secret.value, secret);
  }

  remove(value: string): void {
    this.#added.delete(value);
    for (const tier of this.#tiers) {
      const needles = tier.needles.get(value);
      if (needles === undefined) continue;
      tier.needles.delete(value);
      tier.chars -= charsOf(needles);
      tier.index = undefined;
    }
  }

  /** The indexes to search in. */
  indexes(): NeedleIndex[] {
    const [first] = this.#tiers;
    for (const secret of this.#added.values()) put(first!, secret.value, needlesOf(secret));
    this.#added.clear();
    for (const [at, next] of this.#tiers.slice(1).entries()) this.#pass(this.#tiers[at]!, next, at);
    return this.#tiers.flatMap((tier) => {
      if (tier.needles.size === 0) return [];
      tier.index ??= indexOf([...tier.needles.values()].flat());
      return [tier.index];
    });
  }

  #pass(tier: Tier, next: Tier, at: number): void {
    if (tier.chars <= FIRST_TIER_CHARS * TIER_GROWTH ** at) return;
    for (const [value, needles] of tier.needles) put(next, value, needles);
    tier.needles.clear();
    tier.chars = 0;
    tier.index = undefined;
  }
}

function put(tier: Tier, value: string, needles: readonly Needle[]): void {
  tier.chars += charsOf(needles) - charsOf(tier.needles.get(value) ?? []);
  tier.needles.set(value, needles);
  tier.index = undefined;
}

const charsOf = (needles: readonly Needle[]): number => needles.reduce((sum, { codes }) => sum + codes.length, 0);
