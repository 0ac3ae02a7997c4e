/** Plays the steps of a sequence on an account, and keeps the model of it. */

import { comparedName } from '../../../../contracts/fields/domain-names.ts';
import { type RecordId, recordId } from '../../../../contracts/json/record-ids.ts';
import { pathOf } from '../../../../contracts/operations/index.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { AssertionFailure } from '../../../../harness/check/failures.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import { encodePairs, type Pairs, type ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { Reseller, type Via } from '../../../../harness/target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../../../harness/target/response/judge-response.ts';
import { UNKNOWN_ID } from '../../../envelope/reseller/responses.ts';
import { recordsNamed, unlessRefused } from '../../../reseller/steps/domains.ts';
import { oneOfEach } from '../../../reseller/steps/login/bad-tokens.ts';
import { ask, type Build, login, setFirstMethod, website } from '../../../reseller/steps/login/session.ts';
import { recordOf, websitesOf } from '../../../reseller/steps/records.ts';
import { type Candidate, track } from '../../../reseller/steps/settings.ts';
import { comesToShow, switching } from '../../../reseller/steps/website/switch-website.ts';
import { Echo } from '../../steps/echo.ts';
import { GROUP_OF, ResellerCommand, type StoredCall, wayOf } from '../commands.ts';
import type { Group, Last, Model } from '../state.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { COMPARED_CLAUSES, type Comparison } from './comparison.ts';
import { type Step, WRONG_TOKENS } from './steps.ts';

export const REFUSED_CHANGES_NOTHING = 'envelope.reseller.refusal-changes-nothing';
export const EVERY_WRITE = 'reseller.token.every-write';

/** Settings that are names and addresses: others a service may write in a form of its own. */
const FREE_TEXTS = ['contactName', 'addrCity', 'addrAddress', 'company', 'addrRegion'];

/** Groups of calls that a status can't follow. */
const NEVER_SWITCHING: readonly Group[] = ['settings', 'session'];

const MAX_QUERY_CHARS = 1_500;

type Of<Do extends Step['do']> = Extract<Step, { do: Do }>;

/** Runs in which a wrong status was there to stay. */
const lasting = new WeakSet<Resources>();

/** A call that can be made once more, by the method of the first time where that is known. */
interface Repeatable {
  readonly words: string;
  readonly build: Build;
  readonly via?: Via;
  readonly said?: StoredCall;
}

export class StepRunner {
  readonly #context: Context;
  readonly #system: SystemUnderTest;
  readonly #comparison: Comparison;
  readonly #model: Model;
  readonly #free: readonly Candidate[];
  /** The call to make once more: the last one that changed anything, if it can be repeated. */
  #last: Repeatable | undefined;
  /** What the record shows of an enabled website and of a disabled one, once seen. */
  readonly #shown = new Map<boolean, unknown>();
  #isStatusLate = false;
  /** What it showed after the last call that may have touched it. */
  #statusSince: unknown;
  #compared = false;
  readonly #echo = new Echo();

  constructor(context: Context, system: SystemUnderTest, comparison: Comparison, model: Model) {
    this.#context = context;
    this.#system = system;
    this.#comparison = comparison;
    this.#model = model;
    this.#free = system.means.settings.filter(({ name }) => FREE_TEXTS.includes(name));
    system.beforeChange = () => this.#echo.send(context);
  }

  /** Notes how the website is shown while it is enabled. */
  async before(): Promise<void> {
    const id = this.#context.profile.reseller?.website;
    if (id === undefined) return;
    const { records } = await websitesOf(this.#context);
    this.#statusSince = recordOf(records, id)?.websiteStatus;
    this.#shown.set(true, this.#statusSince);
  }

  /** Compares everything where no step did. */
  async after(): Promise<void> {
    if (!this.#compared) await this.#comparison.compare(this.#model);
  }

  /** Plays one step, and compares everything; one that has no meaning on this target is skipped. */
  async play(step: Step): Promise<void> {
    const blamed = await this.#carryOut(step);
    if (blamed === 'skipped') return;
    this.#compared = true;
    try {
      await this.#comparison.compare(this.#model);
      await this.#compareStatus(step, blamed !== undefined);
    } catch (thrown) {
      throw blamed === undefined ? thrown : blame(thrown, blamed);
    }
  }

  /** The clause that any effect goes against, where the call must have none. */
  #carryOut(step: Step): Promise<string | undefined> {
    switch (step.do) {
      case 'call':
        return this.#call(step.said);
      case 'again':
        return this.#again();
      case 'texts':
        return this.#texts(step);
      case 'wrong-token':
        return this.#wrongToken(step);
      case 'mistake':
        return this.#mistake(step);
      case 'second-session':
        return this.#secondSession(step);
    }
  }

  async #call(said: StoredCall): Promise<string | undefined> {
    if (!this.#system.means.groups.has(GROUP_OF[said.do])) return 'skipped';
    const command = new ResellerCommand(said);
    if (!command.check(this.#model)) return 'skipped';
    const ids = said.do === 'remove-domain' ? await this.#attachedIds() : new Map<string, RecordId>();
    const before = this.#model.last;
    await command.run(this.#model, this.#system);
    const { last } = this.#model;
    this.#last = last === before ? undefined : await this.#repeatable(said, last, ids);
    return undefined;
  }

  async #attachedIds(): Promise<Map<string, RecordId>> {
    const read = () => recordsNamed(this.#context);
    const { records = [] } = (await unlessRefused(!this.#model.enabled, read)) ?? {};
    return new Map(
      records.map((record) => [comparedName(String(record.domain)), recordId(record, 'domainID') ?? UNKNOWN_ID]),
    );
  }

  /** A call as it can be made once more. */
  async #repeatable(
    said: StoredCall,
    last: Last | undefined,
    ids: ReadonlyMap<string, RecordId>,
  ): Promise<Repeatable | undefined> {
    if (last?.served !== true) return undefined;
    const id = website(this.#context);
    const about = last.about ?? '';
    const reseller = await this.#context.reseller();
    const set = (last.names ?? []).map((name) => [name, this.#model.settings.get(name) ?? ''] as const);
    const builds: Partial<Record<StoredCall['do'], Build>> = {
      'add-domain': (via) => reseller.addDomain(id, about, via),
      'remove-domain': (via) => reseller.removeDomain(id, ids.get(comparedName(about)) ?? UNKNOWN_ID, via),
      start: (via) => reseller.enablePremium(id, about, via),
      stop: (via) => reseller.disablePremium(id, via),
      disable: (via) => reseller.disableWebsite(id, via),
      enable: (via) => reseller.enableWebsite(id, via),
      set: (via) => reseller.changeSettings(set, via),
    };
    const build = builds[said.do];
    return build && { words: `${new ResellerCommand(said)}, once more`, build, via: wayOf(said), said };
  }

  /** The last call once more: whether it is served or refused, everything stays as it is. */
  async #again(): Promise<string | undefined> {
    const last = this.#last;
    if (last === undefined) return 'skipped';
    this.#system.step(last.words);
    await this.#system.beforeChange();
    // The same call: by the other method, the service would read another one.
    if (last.via !== undefined) setFirstMethod(this.#context, last.via);
    const response = await ask(this.#context, last.build, 'again');
    if (isServed(response) && last.said !== undefined) await this.#learnEffects(last.said);
    return this.#blamed(response);
  }

  /** What may follow a call is open when it is made again as well: a subscription that ends, domains that go with it or with a switch. */
  async #learnEffects({ do: what }: StoredCall): Promise<void> {
    if (what === 'stop') await this.#system.learnEnd(this.#model);
    if (['site-status', 'billing'].includes(GROUP_OF[what])) await this.#system.learnOwnDomains(this.#model);
  }

  async #texts({ pairs, split }: Of<'texts'>): Promise<string | undefined> {
    if (this.#free.length === 0) return 'skipped';
    const texts = new Map(pairs.map(([at, text]) => [this.#free[at % this.#free.length]!.name, text]));
    const shown = [...texts].map(([name, text]) => `${name} to ${short(text)}`);
    this.#system.step(`set ${shown.join(' and ')}${split ? ', the token in the query' : ''}`);
    this.#trackSettings();
    await this.#system.beforeChange();
    const response = await this.#set([...texts], split);
    this.#note({ group: 'settings', kind: 'set', names: [...texts.keys()] }, response);
    if (!isServed(response)) return this.#blamed(response);
    this.#model.settings = new Map([...this.#model.settings, ...texts]);
    for (const [name, text] of texts) this.#model.set.set(name, text);
    const reseller = await this.#context.reseller();
    const build: Build = (via) => reseller.changeSettings([...texts], via);
    const fits = encodePairs([...texts]).length <= MAX_QUERY_CHARS;
    this.#last = fits ? { words: `set ${shown.join(' and ')}, once more`, build } : undefined;
    return undefined;
  }

  async #set(pairs: Pairs, split: boolean, session?: Reseller): Promise<ServiceResponse> {
    const reseller = session ?? (await this.#context.reseller());
    // An address has no room for a long text, and servers refuse long ones.
    if (encodePairs(pairs).length > MAX_QUERY_CHARS)
      return this.#context.send(reseller.changeSettings(pairs, 'POST'), 'set');
    if (split) {
      const { query: _, body: __, ...call } = reseller.changeSettings(pairs, 'POST');
      const split: ServiceRequest = { ...call, query: [['apiToken', reseller.token]], body: { form: pairs } };
      const response = await this.#context.send(split, 'set');
      // Whether parameters may be split is open.
      if (isServed(response)) return response;
    }
    return ask(this.#context, (via) => reseller.changeSettings(pairs, via), 'set');
  }

  async #wrongToken({ token, write }: Of<'wrong-token'>): Promise<string | undefined> {
    const call = await this.#writing(write);
    if (call === undefined) return 'skipped';
    this.#system.step(`${write} with ${token}`);
    const probe = (await oneOfEach(this.#context))[WRONG_TOKENS.indexOf(token)]!;
    const probed = probe.mutate(call);
    if (!isServed(await this.#context.send(probed, 'probe'))) this.#echo.keep(probed);
    return EVERY_WRITE;
  }

  /** A call that would change something, with everything written down that puts it back. */
  async #writing(write: Of<'wrong-token'>['write']): Promise<ServiceRequest | undefined> {
    const { groups, names, settings } = this.#system.means;
    const reseller = await this.#context.reseller();
    const id = this.#context.profile.reseller?.website;
    if (write === 'settings') {
      const [first] = settings;
      if (first === undefined || !groups.has('settings')) return undefined;
      this.#trackSettings();
      const now = this.#model.settings.get(first.name);
      return reseller.changeSettings([[first.name, now === first.fresh ? first.old : first.fresh]]);
    }
    if (id === undefined) return undefined;
    if (write === 'disable') {
      if (!groups.has('site-status') || !this.#model.enabled) return undefined;
      if (!this.#system.tracked.has('status')) await switching(this.#context);
      this.#system.tracked.add('status');
      return reseller.disableWebsite(id);
    }
    if (!groups.has('domains')) return undefined;
    if (write === 'remove-domain') {
      const ids = await this.#attachedIds();
      const [name] = this.#model.attached;
      const domain = name === undefined ? undefined : ids.get(comparedName(name));
      return domain === undefined ? undefined : reseller.removeDomain(id, domain);
    }
    const name = names.find((one) => !this.#model.attached.has(one));
    if (name === undefined) return undefined;
    if (!(await this.#system.reserved(this.#model, name))) return undefined;
    return reseller.addDomain(id, name);
  }

  async #mistake({ what }: Of<'mistake'>): Promise<string | undefined> {
    const { groups } = this.#system.means;
    const id = this.#context.profile.reseller?.website;
    const reseller = await this.#context.reseller();
    const mistakes: Readonly<Record<Of<'mistake'>['what'], readonly [Omit<Last, 'served'>, Build]>> = {
      'unknown setting': [
        { group: 'settings', kind: 'set', names: [] },
        (via) => reseller.changeSettings([['proofmarkUnknown', 'x']], via),
      ],
      'no domain': [
        { group: 'domains', kind: 'add', about: '' },
        (via) => reseller.call(pathOf('addDomain', { website: `${id}` }), [], via),
      ],
      'unknown domain': [
        { group: 'domains', kind: 'remove', about: '' },
        (via) => reseller.removeDomain(id ?? UNKNOWN_ID, UNKNOWN_ID, via),
      ],
      'unknown website': [{ group: 'site-status', kind: 'switch' }, (via) => reseller.disableWebsite(UNKNOWN_ID, via)],
    };
    const [last, build] = mistakes[what];
    if (!groups.has(last.group) || (last.group !== 'settings' && id === undefined)) return 'skipped';
    this.#system.step(`${what === 'unknown website' ? 'disable' : last.kind}: ${what}`);
    const response = await ask(this.#context, build, 'mistake');
    if (!isServed(response)) this.#echo.keep(build('POST'));
    this.#note(last, response);
    return this.#blamed(response);
  }

  /** A second login, which may end the first one: what it sets is there for every session, and its token ends with it. */
  async #secondSession({ nth }: Of<'second-session'>): Promise<string | undefined> {
    const { settings, groups } = this.#system.means;
    this.#system.step('log in again, set a setting there, and log out there');
    const second = await login(this.#context);
    const one = settings[nth % Math.max(1, settings.length)];
    if (one !== undefined && groups.has('settings')) {
      this.#trackSettings();
      const text = this.#model.settings.get(one.name) === one.fresh ? one.old : one.fresh;
      const response = await this.#set([[one.name, text]], false, second);
      this.#note({ group: 'settings', kind: 'set', names: [one.name] }, response);
      if (isServed(response)) {
        this.#model.settings = new Map([...this.#model.settings, [one.name, text]]);
        this.#model.set.set(one.name, text);
        // Made once more, an earlier call would take this back.
        this.#last = undefined;
      }
    }
    const response = await ask(this.#context, (via) => second.logOut(via), 'logout');
    // The first token may have ended as well, by this login or this logout.
    this.#context.resources.session.forget();
    if (isServed(response)) await this.#system.expectEnded(new Reseller(second.token).listWebsites());
    return undefined;
  }

  #trackSettings(): void {
    if (!this.#system.tracked.has('settings')) track(this.#context, ...this.#system.means.settings);
    this.#system.tracked.add('settings');
  }

  #note(last: Omit<Last, 'served'>, response: ServiceResponse): void {
    this.#model.last = { ...last, served: isServed(response) };
  }

  #blamed(response: ServiceResponse): string | undefined {
    return isRefused(response) === 'refused' ? REFUSED_CHANGES_NOTHING : undefined;
  }

  /** Whether the status stays as it is: a record may follow late. Once it did, the cases after it need not wait. */
  async #staysAs(status: unknown): Promise<boolean> {
    const { resources } = this.#context;
    if (lasting.has(resources)) return true;
    if (await comesToShow(this.#context, (now) => now !== status)) return false;
    lasting.add(resources);
    return true;
  }

  /** A website is not shown as enabled, or as disabled, after a call that is for neither. */
  async #compareStatus(step: Step, isRefused: boolean): Promise<void> {
    const id = this.#context.profile.reseller?.website;
    if (id === undefined || !this.#system.means.groups.has('site-status')) return;
    const { records, response } = await websitesOf(this.#context);
    const now = recordOf(records, id)?.websiteStatus;
    const { enabled } = this.#model;
    const said = step.do === 'call' ? step.said : step.do === 'again' && !isRefused ? this.#last?.said : undefined;
    const group = said && GROUP_OF[said.do];
    const isSwitch = step.do === 'call' && group === 'site-status';
    if (isSwitch) {
      // A record that follows late shows the same state in several ways.
      if (this.#shown.has(enabled) && this.#shown.get(enabled) !== now) this.#isStatusLate = true;
      this.#shown.set(enabled, now);
    }
    // What else a status says is not shown: only the exact status of the opposite state counts, where no call since may have touched it.
    const mayTouch = group !== undefined && !NEVER_SWITCHING.includes(group);
    if (isSwitch || (mayTouch && group !== 'site-status')) {
      this.#statusSince = now;
      return;
    }
    const opposite = this.#shown.get(!enabled);
    const isKnown =
      !this.#isStatusLate &&
      this.#shown.size === 2 &&
      this.#statusSince !== opposite &&
      this.#shown.get(enabled) !== opposite;
    const isOpposite = isKnown && now === opposite && (await this.#staysAs(now));
    const message = `the website must still be shown as ${enabled ? 'enabled' : 'disabled'}`;
    this.#context.expect.that(!isOpposite, message, {
      clauses: [enabled ? 'reseller.website.enable' : 'reseller.website.disable'],
      ...{ expected: this.#shown.get(enabled), actual: now, response },
    });
  }
}

/** What was found, laid to the call that must have no effect; the type of a value is a matter of its own. */
function blame(thrown: unknown, clause: string): unknown {
  if (!(thrown instanceof AssertionFailure)) return thrown;
  const isOfType = thrown.evidence.clauses?.some((one) => COMPARED_CLAUSES.includes(one)) === true;
  return isOfType ? thrown : new AssertionFailure(thrown.message, { ...thrown.evidence, clauses: [clause] });
}

const MAX_SHOWN = 40;
function short(text: string): string {
  const shown = JSON.stringify(text);
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}… (${text.length} characters)` : shown;
}
