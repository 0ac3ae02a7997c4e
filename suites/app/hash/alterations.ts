/** Parameters that are altered after hashing. */
import type { AppContext } from '../session.ts';
import {
  AFTER_HASHING,
  ALTERED_SUFFIX,
  hashUnder,
  parametersOf,
  withHash,
  withoutParameter,
  withSortedHash,
} from '../steps/address.ts';
import type { Alteration } from '../steps/loads/index.ts';
import type { LoadKind } from '../steps/refusals.ts';
import { ABOUT_PARAMETERS, mistaken, mistakenWithCode } from './mistaken.ts';

/** Alterations of the parameters that a load of this kind has. */
export async function alterationsOf(context: AppContext, kind: LoadKind): Promise<Alteration[]> {
  const { session } = context;
  const alterations = AFTER_HASHING.map(({ change, alter }) => ({ change: `${change} after hashing`, alter }));
  const all = alterations.filter(({ change }) =>
    kind === 'first' ? !change.includes('authCode') : HARMFUL.test(change),
  );
  const secret = session.app.secret?.reveal() ?? '';
  // What is checked again without a parameter takes any value of it.
  const added = (name: string): Alteration => ({
    change: `${name} added after hashing`,
    alter: (url) => withHash(url, hashUnder(withoutParameter(url, name), secret, session.dialect)),
  });
  const sorted: Alteration = {
    change: 'the parameters moved out of the order of their names after hashing',
    alter: (url) => withSortedHash(url, secret, session.dialect),
  };
  if (kind === 'first') {
    const wrong = await mistaken(context, (id) => ABOUT_PARAMETERS.has(id));
    return [...all, sorted, ...NOT_HASHED.map(added), ...SECOND_CALLBACK, ...wrong];
  }
  // Everybody who presses Install is sent a hash over the other parameters.
  const tried = [...all, sorted, added('authCode')];
  const harmless = [...alterations, WITHOUT_CALLBACK].filter(({ change }) => !HARMFUL.test(change));
  const others = [...NOT_HASHED.map(added), ...harmless];
  return [...tried, ...(await mistakenWithCode(context, kind, (id) => ABOUT_PARAMETERS.has(id), others))];
}

/** Such a first load can't be served; the others need no callback. */
const WITHOUT_CALLBACK: Alteration = {
  change: 'the parameter callback removed after hashing',
  alter: (url) => withoutParameter(url, 'callback'),
};

const NOT_HASHED = ['callback', 'appId', 'language', 'platformVersion'];

/**
 * Where one of two parameters of a name is verified and the other one used, anyone can have users of the app redirected anywhere.
 * The report shows which of the two was used.
 */
const SECOND_CALLBACK: readonly Alteration[] = [
  {
    change: 'another callback added before its own after hashing',
    alter: (url) => url.replace(CALLBACK, `$1callback=$2${ALTERED_SUFFIX}&callback=$2`),
    hasOwnCallback: true,
  },
  {
    change: 'another callback added behind its own after hashing',
    alter: (url) => url.replace(CALLBACK, `$1callback=$2&callback=$2${ALTERED_SUFFIX}`),
    hasOwnCallback: true,
  },
];
const CALLBACK = /([?&])callback=([^&#]*)/;

/** What an attacker would alter: another installation, another return redirect, something more. */
const HARMFUL =
  /added at the end|another value of (?:language|callback|authCode|appId|platformVersion)|platformVersion removed|swapped|once more/;

/** Leaves alterations out that would leave this app's addresses as they are. */
export function effective({ session }: AppContext, alterations: readonly Alteration[]): readonly Alteration[] {
  const { url } = session.counterpart.beginInstall();
  const before = JSON.stringify(parametersOf(url));
  return alterations.filter(
    ({ change, alter }) => change.includes('authCode') || JSON.stringify(parametersOf(alter(url))) !== before,
  );
}
