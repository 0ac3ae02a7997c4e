/** Commands of the model of Reseller: each a value that is its own form in a file. */
import type fc from 'fast-check';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Reseller, type Via } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { add, recordsNamed, remove, reserve } from '../../reseller/steps/domains.ts';
import { ask, askFirstBy, website } from '../../reseller/steps/login/session.ts';
import { set, track } from '../../reseller/steps/settings.ts';
import { withoutSubscription } from '../../reseller/steps/website/subscription.ts';
import { switching } from '../../reseller/steps/website/switch-website.ts';
import type { Group, Last, Model, ModelClause } from './state.ts';
import type { Stage } from './system-under-test.ts';

/** A call, as it is kept: names and settings by their places, since every target has its own. */
export type Said =
  | { readonly do: 'add-domain' | 'remove-domain' | 'remove-elsewhere'; readonly nth: number }
  /** Pairs of a setting and one of its texts. */
  | { readonly do: 'set'; readonly texts: readonly (readonly [number, number])[] }
  | { readonly do: 'start'; readonly level: 'premium' | 'premiumplus' }
  | { readonly do: 'stop' | 'disable' | 'enable' | 'sign-in-again' | 'login-link' | 'look' };

export type Command = fc.AsyncCommand<Model, Stage>;

export const GROUP_OF: Readonly<Record<Said['do'], Group>> = {
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

/** GET or POST by what the call says: a case that is repeated, or made smaller, goes the same way. */
function wayOf(said: Said): Via {
  const sum = [...JSON.stringify(said)].reduce((all, character) => all + character.charCodeAt(0), 0);
  return sum % 2 === 0 ? 'GET' : 'POST';
}

export class ResellerCommand implements Command {
  readonly said: Said;

  constructor(said: Said) {
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

  async run(model: Model, stage: Stage): Promise<void> {
    const { said } = this;
    // Each call by GET as often as by POST: what one way leaves, the other has to show.
    askFirstBy(stage.context, wayOf(said));
    if ('nth' in said) {
      const isAdd = said.do === 'add-domain';
      const all = stage.means.names.filter((one) => model.attached.has(one) !== isAdd);
      const name = all[said.nth % all.length];
      // How many names there are is known here only: what has no meaning in this state is skipped.
      if (name === undefined) return;
      stage.step(`${WORDS[said.do]} ${name}`);
      await DOMAIN_CALLS[said.do](model, stage, name);
    } else {
      stage.step(said.do === 'set' ? `set ${namesOf(stage, said.texts).join(' and ')}` : this.toString());
      if (said.do === 'set') await setTexts(model, stage, said.texts);
      else if (said.do === 'start') await start(model, stage, said.level);
      else await CALLS[said.do](model, stage);
    }
    await stage.lookAround(model);
  }
}

const WORDS: Readonly<Record<Exclude<Said['do'], 'set' | 'start'>, string>> = {
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

const CHECKS: Partial<Record<Said['do'], (model: Readonly<Model>) => boolean>> = {
  'remove-domain': ({ attached }) => attached.size > 0,
  'remove-elsewhere': ({ attached }) => attached.size > 0,
  start: ({ premium }) => premium === false,
  stop: ({ premium }) => premium === true,
  disable: ({ enabled }) => enabled,
  enable: ({ enabled }) => !enabled,
};

/** Notes a call; asserts that it was served where it has to be, and that the token has not come to its end meanwhile. */
async function noted(
  model: Model,
  stage: Stage,
  answer: ServiceResponse,
  last: Omit<Last, 'served'>,
  clause?: ModelClause,
): Promise<boolean> {
  const served = isServed(answer);
  const message = 'the call must be served';
  const isChosen = clause !== undefined && last.kind === 'set';
  if (clause !== undefined && !(isChosen && stage.context.choices.passesOver(answer, { clause, message }))) {
    if (!served) await stage.givenToken();
    const evidence = { expected: 'a successful answer', actual: summary(answer), answer };
    stage.expect(clause, served, message, evidence);
  }
  model.last = { ...last, served };
  return served;
}

/** The id of a name that was attached, from the list: where it is not there, the call before has gone wrong. */
async function idOf(model: Model, stage: Stage, name: string): Promise<number> {
  await stage.compareAttached(model);
  const { found } = await recordsNamed(stage.context, name);
  return Number(found[0]?.domainID);
}

const DOMAIN_CALLS = {
  'add-domain': async (model: Model, stage: Stage, name: string) => {
    if (!stage.tracked.has(name)) await reserve(stage.context, name);
    stage.tracked.add(name);
    const answer = await add(stage.context, name);
    // Names below the one of the profile may be refused, and so may any name of a website that is disabled.
    const isDue = name === stage.means.names[0] && model.enabled;
    const last = { group: 'domains', kind: 'add', about: name } as const;
    if (await noted(model, stage, answer, last, isDue ? 'reseller.domain.add-attaches' : undefined))
      model.attached.add(name);
  },
  'remove-domain': async (model: Model, stage: Stage, name: string) => {
    const answer = await remove(stage.context, await idOf(model, stage, name));
    const last = { group: 'domains', kind: 'remove', about: name } as const;
    const clause = model.enabled ? 'reseller.domain.remove-detaches' : undefined;
    if (await noted(model, stage, answer, last, clause)) model.attached.delete(name);
  },
  'remove-elsewhere': async (model: Model, stage: Stage, name: string) => {
    const [other] = stage.means.others;
    if (other === undefined) return;
    const answer = await remove(stage.context, await idOf(model, stage, name), other);
    await noted(model, stage, answer, { group: 'domains', kind: 'remove-elsewhere', about: name });
  },
};

type Texts = Extract<Said, { do: 'set' }>['texts'];

/** The settings that pairs name, each once. */
function pairsOf({ means }: Stage, texts: Texts): Map<string, string> {
  const pairs = texts.map(([at, which]): [string, string] => {
    const { name, old, fresh } = means.settings[at % means.settings.length]!;
    return [name, which === 0 ? old : fresh];
  });
  return new Map(pairs);
}

const namesOf = (stage: Stage, texts: Texts): string[] => [...pairsOf(stage, texts).keys()];

async function setTexts(model: Model, stage: Stage, texts: Texts): Promise<void> {
  const pairs = pairsOf(stage, texts);
  if (!stage.tracked.has('settings')) track(stage.context, ...stage.means.settings);
  stage.tracked.add('settings');
  const answer = await set(stage.context, [...pairs]);
  const names = [...pairs.keys()];
  // How many settings one call may change is not shown.
  const due = names.length === 1 ? 'reseller.settings.set-applies' : undefined;
  if (!(await noted(model, stage, answer, { group: 'settings', kind: 'set', names }, due))) return;
  model.settings = new Map([...model.settings, ...pairs]);
  for (const [name, text] of pairs) model.set.set(name, text);
}

async function start(model: Model, stage: Stage, level: 'premium' | 'premiumplus'): Promise<void> {
  const { context } = stage;
  if (!stage.tracked.has('premium')) await withoutSubscription(context);
  stage.tracked.add('premium');
  const reseller = await context.reseller();
  const answer = await ask(context, (via) => reseller.enablePremium(website(context), level, via), 'upgrade');
  const clause = level === 'premium' ? 'reseller.premium.enable' : 'reseller.premium.enable-plus';
  const due = model.enabled && answer.status !== 402 ? clause : undefined;
  if (await noted(model, stage, answer, { group: 'billing', kind: 'start', about: level }, due)) model.premium = true;
  await stage.learnDomains(model);
}

async function turn(model: Model, stage: Stage, verb: 'enable' | 'disable'): Promise<void> {
  const { context } = stage;
  if (!stage.tracked.has('status')) await switching(context);
  stage.tracked.add('status');
  const reseller = await context.reseller();
  const answer = await ask(context, (via) => reseller[`${verb}Website`](website(context), via), verb);
  await noted(model, stage, answer, { group: 'site-status', kind: 'switch' }, `reseller.website.${verb}`);
  model.enabled = verb === 'enable';
  if (stage.means.groups.has('billing')) await stage.learnPremium(model);
  await stage.learnDomains(model);
}

const CALLS: Readonly<
  Record<
    Exclude<Said['do'], 'set' | 'start' | keyof typeof DOMAIN_CALLS>,
    (model: Model, stage: Stage) => Promise<void>
  >
> = {
  stop: async (model, stage) => {
    const { context } = stage;
    const reseller = await context.reseller();
    const answer = await ask(context, (via) => reseller.disablePremium(website(context), via), 'downgrade');
    const due = model.enabled ? 'reseller.premium.disable' : undefined;
    // Whether a subscription that is stopped ends at once is open.
    if (await noted(model, stage, answer, { group: 'billing', kind: 'stop' }, due)) await stage.learnPremium(model);
    await stage.learnDomains(model);
  },
  disable: (model, stage) => turn(model, stage, 'disable'),
  enable: (model, stage) => turn(model, stage, 'enable'),
  'sign-in-again': async (model, stage) => {
    const { context } = stage;
    const old = await context.reseller();
    const answer = await ask(context, (via) => old.logOut(via), 'logout');
    context.resources.forgetToken();
    if (isServed(answer)) await stage.expectEnded(new Reseller(old.token).listWebsites());
    model.last = { group: 'session', kind: 'session', served: isServed(answer) };
  },
  'login-link': async (_model, stage) => {
    const reseller = await stage.context.reseller();
    // A link is not for reading: what comes of it is not judged here.
    await ask(stage.context, (via) => reseller.createLoginLink(website(stage.context), via), 'login link');
  },
  look: (model, stage) => stage.compare(model),
};
