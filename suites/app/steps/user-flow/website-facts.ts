/** Whose website a page of the app shows: its name, its address, the e-mail address of its user. */
import { type PageSnapshot, steady } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import type { AppSession } from '../../session.ts';

/**
 * A fact of an installation of another user that a page shows: the name or the address of its website, or the e-mail address of its
 * user. Beside its own it has no reason to either, unless users sign in to accounts of the app, of which one may have both.
 */
export function foreignFact(
  { counterpart, driver }: Pick<AppSession, 'counterpart' | 'driver'>,
  snapshot: Pick<PageSnapshot, 'lines'>,
  own: string,
  other: string,
): string | undefined {
  const text = snapshot.lines.join('\n').toLowerCase();
  const isShown = (fact: string): boolean => text.includes(steady(fact).toLowerCase());
  const ofOwn = counterpart.factsOf(own);
  for (const [kind, facts] of Object.entries(counterpart.factsOf(other))) {
    const owned = ofOwn[kind] ?? [];
    const foreign = facts.find((fact) => !owned.includes(fact) && isShown(fact));
    const isExcused = driver.signIn !== undefined && owned.some(isShown);
    if (foreign !== undefined && !isExcused) return foreign;
  }
  return undefined;
}

/**
 * A fact of an installation of another user in what a browser received, shown or not. Excused as in `foreignFact`, by what is received of
 * its own.
 */
export function foreignFactIn(
  { counterpart, driver }: Pick<AppSession, 'counterpart' | 'driver'>,
  received: string,
  own: string,
  other: string,
): string | undefined {
  const text = received.toLowerCase();
  const isIn = (fact: string): boolean => writingsOf(fact.toLowerCase()).some((written) => text.includes(written));
  const ofOwn = counterpart.factsOf(own);
  for (const [kind, facts] of Object.entries(counterpart.factsOf(other))) {
    const owned = ofOwn[kind] ?? [];
    const isExcused = driver.signIn !== undefined && owned.some(isIn);
    const foreign = facts.find((fact) => !owned.includes(fact) && isIn(fact));
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
