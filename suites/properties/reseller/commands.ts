/** Commands of the model of Reseller: each a value that is its own form in a file. */

import fc from 'fast-check';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Reseller, type Via } from '../../../harness/target/interfaces/reseller.ts';
import { isRefusalOfPromise, isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { add, recordsNamed, remove, removeElsewhere, runDomain, unlessRefused } from '../../reseller/steps/domains.ts';
import { VIAS } from '../../reseller/steps/get-and-post.ts';
import { ask, setFirstMethod, website } from '../../reseller/steps/login/session.ts';
import { set, track } from '../../reseller/steps/settings.ts';
import { withoutSubscription } from '../../reseller/steps/website/subscription.ts';
import { switching } from '../../reseller/steps/website/switch-website.ts';
import type { Group, Last, Model, ModelClause } from './state.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** A call, as it is kept: names and settings by their places, since every target has its own; and whether it is sent by GET or POST first. */
export type StoredCall = What & { readonly via?: Via };

type What =
  | { readonly do: 'add-domain' | 'remove-domain' | 'remove-elsewhere'; readonly nth: number }
  /** Pairs of a setting and one of its texts. */
  | { readonly do: 'set'; readonly texts: readonly (readonly [number, number])[] }
  | { readonly do: 'start'; readonly level: 'premium' | 'premiumplus' }
  | { readonly do: 'stop' | 'disable' | 'enable' | 'sign-in-again' | 'login-link' | 'look' };

export type Command = fc.AsyncCommand<Model, SystemUnderTest>;

export const GROUP_OF: Readonly<Record<StoredCall['do'], Group>> = {
  'add-domain': 'domains',
  'remove-domain': 'domains',
  'remove-elsewhere': 'domains',
  set: 'settings',
  start: 'billing',
  stop: 'billing',
  disable: 'site-status',
  enable: 'site-status',
  'sign-in-again': 'session',
  'login-link': 'session',
  look: 'session',
};

/** GET or POST as the case says; older cases say nothing, and what they say decides, so that a repeated one goes the same way. */
export function wayOf(said: StoredCall): Via {
  if (said.via !== undefined) return said.via;
  const sum = [...JSON.stringify(said)].reduce((all, character) => all + character.charCodeAt(0), 0);
  return sum % 2 === 0 ? 'GET' : 'POST';
}

/** Each call by GET as often as by POST: what is kept for one of them shows in no other way. */
export const byEither = (said: fc.Arbitrary<StoredCall>): fc.Arbitrary<StoredCall> =>
  fc.tuple(said, fc.constantFrom(...VIAS)).map(([one, via]) => ({ ...one, via }));

export class ResellerCommand implements Command {
  readonly said: StoredCall;

  constructor(said: StoredCall) {
    this.said = said;
  }

  check(model: Readonly<Model>): boolean {
    return CHECKS[this.said.do]?.(model) ?? true;
  }

  toString(): string {
    const { said } = this;
    if ('nth' in said) return `${WORDS[said.do]} ${said.nth + 1}`;
    if (said.do === 'set')
      return `set ${said.texts.map(([at, which]) => `setting ${at + 1} to text ${which}`).join(' and ')}`;
    return said.do === 'start' ? `start ${said.level}` : WORDS[said.do];
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    const { said } = this;
    // Each call by GET as often as by POST: what one way leaves, the other has to show.
    setFirstMethod(system.context, wayOf(said));
    if ('nth' in said) {
      const isAdd = said.do === 'add-domain';
      const all = system.means.names.filter((one) => model.attached.has(one) !== isAdd);
      const name = all[said.nth % all.length];
      // How many names there are is known here only: what has no meaning in this state is skipped.
      if (name === undefined) return;
      system.step(`${WORDS[said.do]} ${name}`);
      await DOMAIN_CALLS[said.do](model, system, name);
    } else {
      system.step(said.do === 'set' ? `set ${namesOf(system, said.texts).join(' and ')}` : this.toString());
      if (said.do === 'set') await setTexts(model, system, said.texts);
      else if (said.do === 'start') await start(model, system, said.level);
      else await CALLS[said.do](model, system);
    }
    await system.compareState(model);
  }
}

const WORDS: Readonly<Record<Exclude<StoredCall['do'], 'set' | 'start'>, string>> = {
  'add-domain': 'add the domain',
  'remove-domain': 'remove the domain',
  'remove-elsewhere': 'remove, under another website, the domain',
  stop: 'stop the subscription',
  disable: 'disable the website',
  enable: 'enable the website',
  'sign-in-again': 'sign out and in',
  'login-link': 'ask for a login link',
  look: 'look at everything',
};

const CHECKS: Partial<Record<StoredCall['do'], (model: Readonly<Model>) => boolean>> = {
  'remove-domain': ({ attached }) => attached.size > 0,
  'remove-elsewhere': ({ attached }) => attached.size > 0,
  start: ({ premium }) => premium === false,
  stop: ({ premium }) => premium === true,
  disable: ({ enabled }) => enabled,
  enable: ({ enabled }) => !enabled,
};

/** Calls of one kind: they differ only in what the calls before them did to other things. */
const kindOf = (clause: ModelClause, { attached, premium, enabled }: Model): string =>
  `${clause}, ${attached.size} domains attached, subscription ${premium}, enabled ${enabled}`;

/**
 * Notes a call; asserts that it was served where it has to be, and that the token has not come to its end meanwhile. A refusal
 * counts only where a call of its kind is served later: how many domains, subscriptions or switches a service allows is not shown.
 */
async function noted(
  model: Model,
  system: SystemUnderTest,
  response: ServiceResponse,
  last: Omit<Last, 'served'>,
  clause?: ModelClause,
): Promise<boolean> {
  if (isRefused(response) === 'unavailable')
    throw new Inconclusive(`the target was not available (${summary(response)}): run again`, 'network');
  const served = isServed(response);
  const message = 'the call must be served';
  const { choices } = system.context;
  const isChosen = clause !== undefined && last.kind === 'set';
  if (clause !== undefined && !(isChosen && choices.skipsRefusal(response, { clause, message }))) {
    if (!served) await system.givenToken();
    if (isChosen || served || !isRefusalOfPromise(response)) {
      const evidence = { expected: 'a successful response', actual: summary(response), response };
      system.expect(clause, served, message, evidence);
      choices.servedLater(kindOf(clause, model));
    } else choices.postpone(kindOf(clause, model), response, { clause, message });
  }
  model.last = { ...last, served };
  return served;
}

/** The id of a name that was attached, from the list: where it is not there, the call before has gone wrong. */
function idOf(model: Model, system: SystemUnderTest, name: string): Promise<RecordId | undefined> {
  return unlessRefused(!model.enabled, async () => {
    await system.compareAttached(model);
    const { found } = await recordsNamed(system.context, name);
    return found[0] && recordId(found[0], 'domainID');
  });
}

const DOMAIN_CALLS = {
  'add-domain': async (model: Model, system: SystemUnderTest, name: string) => {
    if (!(await system.reserved(model, name))) return;
    await system.beforeChange();
    const response = await add(system.context, name);
    // Names below the one of the profile may be refused, and so may any name of a website that is disabled.
    const isDue = name === runDomain(system.context) && model.enabled;
    const last = { group: 'domains', kind: 'add', about: name } as const;
    if (await noted(model, system, response, last, isDue ? 'reseller.domain.add-attaches' : undefined))
      model.attached.add(name);
  },
  'remove-domain': async (model: Model, system: SystemUnderTest, name: string) => {
    const id = await idOf(model, system, name);
    if (id === undefined) return;
    await system.beforeChange();
    const response = await remove(system.context, id);
    const last = { group: 'domains', kind: 'remove', about: name } as const;
    const clause = model.enabled ? 'reseller.domain.remove-detaches' : undefined;
    if (await noted(model, system, response, last, clause)) model.attached.delete(name);
  },
  'remove-elsewhere': async (model: Model, system: SystemUnderTest, name: string) => {
    const [other] = system.means.others;
    const id = other === undefined ? undefined : await idOf(model, system, name);
    if (other === undefined || id === undefined) return;
    const response = await removeElsewhere(system.context, id, other);
    if (response === undefined) return;
    await noted(model, system, response, { group: 'domains', kind: 'remove-elsewhere', about: name });
  },
};

type Texts = Extract<StoredCall, { do: 'set' }>['texts'];

/** The settings that pairs name, each once. */
function pairsOf({ means }: SystemUnderTest, texts: Texts): Map<string, string> {
  const pairs = texts.map(([at, which]): [string, string] => {
    const { name, old, fresh } = means.settings[at % means.settings.length]!;
    return [name, which === 0 ? old : fresh];
  });
  return new Map(pairs);
}

const namesOf = (system: SystemUnderTest, texts: Texts): string[] => [...pairsOf(system, texts).keys()];

async function setTexts(model: Model, system: SystemUnderTest, texts: Texts): Promise<void> {
  const pairs = pairsOf(system, texts);
  if (!system.tracked.has('settings')) track(system.context, ...system.means.settings);
  system.tracked.add('settings');
  await system.beforeChange();
  const response = await set(system.context, [...pairs]);
  const names = [...pairs.keys()];
  // How many settings one call may change is not shown, nor whether a call may change nothing.
  const isDue = names.length === 1 && names.some((name) => model.settings.get(name) !== pairs.get(name));
  const due = isDue ? 'reseller.settings.set-applies' : undefined;
  if (!(await noted(model, system, response, { group: 'settings', kind: 'set', names }, due))) return;
  model.settings = new Map([...model.settings, ...pairs]);
  for (const [name, text] of pairs) model.set.set(name, text);
}

async function start(model: Model, system: SystemUnderTest, level: 'premium' | 'premiumplus'): Promise<void> {
  const { context } = system;
  if (!system.tracked.has('premium')) await withoutSubscription(context);
  system.tracked.add('premium');
  const reseller = await context.reseller();
  await system.beforeChange();
  const response = await ask(context, (via) => reseller.enablePremium(website(context), level, via), 'upgrade');
  const clause = level === 'premium' ? 'reseller.premium.enable' : 'reseller.premium.enable-plus';
  // Calls that would change nothing may be refused: here and below none of them is due.
  const isFirst = model.premium === false;
  const due = model.enabled && isFirst && response.status !== 402 ? clause : undefined;
  const isStarted = await noted(model, system, response, { group: 'billing', kind: 'start', about: level }, due);
  if (isStarted) model.premium = true;
  const lost = await system.learnDomains(model);
  // Another level may have fewer features than the one before.
  if (isStarted && isFirst && model.enabled)
    system.expect(
      'reseller.account.nothing-else-changes',
      lost.length === 0,
      'domains must stay when a subscription starts',
      {
        expected: 'each domain that was attached',
        actual: `without ${lost.join(' and ')}`,
        pointer: '/domains',
      },
    );
}

async function turn(model: Model, system: SystemUnderTest, verb: 'enable' | 'disable'): Promise<void> {
  const { context } = system;
  if (!system.tracked.has('status')) await switching(context);
  system.tracked.add('status');
  const reseller = await context.reseller();
  await system.beforeChange();
  const response = await ask(context, (via) => reseller[`${verb}Website`](website(context), via), verb);
  const last = { group: 'site-status', kind: 'switch' } as const;
  const due = model.enabled === (verb === 'enable') ? undefined : (`reseller.website.${verb}` as const);
  if (await noted(model, system, response, last, due)) model.enabled = verb === 'enable';
  if (system.means.groups.has('billing')) await system.learnPremium(model);
  await system.learnDomains(model);
}

const CALLS: Readonly<
  Record<
    Exclude<StoredCall['do'], 'set' | 'start' | keyof typeof DOMAIN_CALLS>,
    (model: Model, system: SystemUnderTest) => Promise<void>
  >
> = {
  stop: async (model, system) => {
    const { context } = system;
    const reseller = await context.reseller();
    await system.beforeChange();
    const response = await ask(context, (via) => reseller.disablePremium(website(context), via), 'downgrade');
    const due = model.enabled && model.premium === true ? 'reseller.premium.disable-served' : undefined;
    // Whether a subscription that is stopped ends at once is open.
    if (await noted(model, system, response, { group: 'billing', kind: 'stop' }, due)) await system.learnEnd(model);
    await system.learnDomains(model);
  },
  disable: (model, system) => turn(model, system, 'disable'),
  enable: (model, system) => turn(model, system, 'enable'),
  'sign-in-again': async (model, system) => {
    const { context } = system;
    const old = await context.reseller();
    await system.beforeChange();
    const response = await ask(context, (via) => old.logOut(via), 'logout');
    context.resources.session.forget();
    if (isServed(response)) await system.expectEnded(new Reseller(old.token).listWebsites());
    model.last = { group: 'session', kind: 'session', served: isServed(response) };
  },
  'login-link': async (_model, system) => {
    const reseller = await system.context.reseller();
    // A link is not for reading: what comes of it is not judged here.
    await ask(system.context, (via) => reseller.createLoginLink(website(system.context), via), 'login link');
  },
  look: (model, system) => system.compare(model),
};
