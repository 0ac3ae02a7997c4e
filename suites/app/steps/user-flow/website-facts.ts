/** Whose website a page of the app shows: its name, its address, the e-mail address of its user. */
import { type PageSnapshot, steady } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import type { AppSession } from '../../session.ts';

type Whose = Pick<AppSession, 'counterpart' | 'driver'>;

/**
 * A fact of another user that a page shows: the name or the address of their website, or their e-mail address. Beside its own it has
 * no reason to either, unless users sign in to accounts of the app, of which one may have several.
 */
export function foreignFact(whose: Whose, snapshot: Pick<PageSnapshot, 'lines'>, own: string): string | undefined {
  const text = snapshot.lines.join('\n').toLowerCase();
  return foreignAmong(whose, own, (fact) => text.includes(steady(fact).toLowerCase()));
}

/** A fact of another user in what a browser received, shown or not. Excused as in `foreignFact`, by what is received of its own. */
export function foreignFactIn(whose: Whose, received: string, own: string): string | undefined {
  const text = received.toLowerCase();
  return foreignAmong(whose, own, (fact) => isWrittenIn(text, fact));
}

/** Whether what was received contains a fact of an installation's own. */
export function ownFactIn({ counterpart }: Pick<AppSession, 'counterpart'>, received: string, own: string): boolean {
  const text = received.toLowerCase();
  return Object.values(counterpart.factsOf(own)).some((facts) => facts.some((fact) => isWrittenIn(text, fact)));
}

const isWrittenIn = (text: string, fact: string): boolean =>
  writingsOf(fact.toLowerCase()).some((written) => text.includes(written));

function foreignAmong(
  { counterpart, driver }: Whose,
  own: string,
  isFound: (fact: string) => boolean,
): string | undefined {
  const ofOwn = counterpart.factsOf(own);
  for (const [kind, facts] of Object.entries(counterpart.factsOfOthers(own))) {
    const owned = ofOwn[kind] ?? [];
    // The address of one website may begin with that of another.
    const foreign = facts.find((fact) => fact !== '' && !owned.some((one) => one.includes(fact)) && isFound(fact));
    const isExcused = driver.signIn !== undefined && owned.some(isFound);
    if (foreign !== undefined && !isExcused) return foreign;
  }
  return undefined;
}

/** The website of another installation of the same user, where a page shows that one and not its own. */
export function otherWebsiteShown(
  { counterpart }: Pick<AppSession, 'counterpart'>,
  snapshot: Pick<PageSnapshot, 'lines'>,
  own: string,
  other: string,
): string | undefined {
  const text = snapshot.lines.join('\n').toLowerCase();
  const shownOf = (authCode: string): string | undefined =>
    counterpart.factsOf(authCode).website?.find((fact) => text.includes(steady(fact).toLowerCase()));
  return shownOf(own) === undefined ? shownOf(other) : undefined;
}

/** As it is, in an address, and as some languages write JSON. */
const writingsOf = (fact: string): readonly string[] => [
  fact,
  encodeURIComponent(fact).toLowerCase(),
  fact.replaceAll('/', String.raw`\/`),
];

/** A page with the facts of its own website taken out, so that it can be compared with that of another one. */
export function withoutFacts({ counterpart }: AppSession, snapshot: PageSnapshot, own: string): PageSnapshot {
  const facts = Object.values(counterpart.factsOf(own)).flat();
  // An address contains the address of its host: the longer one goes first.
  const known = facts.map(steady).sort((a, b) => b.length - a.length);
  const cleared = (line: string): string => known.reduce((text, fact) => text.replaceAll(fact, OWN_FACT), line);
  return { ...snapshot, lines: snapshot.lines.map(cleared), things: snapshot.things.map(cleared) };
}

const OWN_FACT = '…';
