/**
 * Whether the languages of a profile are those of the website of its installation. A list that differs may be the profile's
 * mistake or the service's; snippets are the witness, since a service serves them by language of the website only.
 */
import { isLanguageCode } from '../../../contracts/fields/scalars.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import { listed, type Probing } from '../probing.ts';

const LANGUAGES = 'website.languages';
const DEFAULT = 'website.defaultLanguage';
const CODE = 'apps.authCode';
const OTHER_CODE = 'apps.otherAuthCode';

/** Codes that hardly any website uses: one that is on neither list shows how a language is refused. */
const RARE = ['fo', 'mt', 'rm'];
/** Enough to distinguish a list of the profile from a list of the service. */
const MAX_WITNESSES = 4;

/** Compares `website.languages` with the languages that the installation shows. */
export async function probeLanguages(probing: Probing): Promise<void> {
  const { apps, website } = probing.profile;
  const configured = website?.languages;
  if (configured === undefined || apps?.apiKey === undefined || apps.authCode === undefined) return;
  if (!probing.isUsable(CODE) || !probing.isUsable('apps.apiKey')) return;
  const session = new Apps(apps.apiKey, apps.authCode);
  const shown = await languagesOf(probing, apps.apiKey, apps.authCode);
  // A response of another shape is the service's, and has a check of its own.
  if (shown === undefined || isSame(shown, configured)) return;
  if (apps.otherAuthCode !== undefined && probing.isUsable(OTHER_CODE)) {
    const other = await languagesOf(probing, apps.apiKey, apps.otherAuthCode);
    if (other !== undefined && isSame(other, configured)) {
      const reason = `"${CODE}" and "${OTHER_CODE}" look swapped: the languages of the profile are shown for the second code, and the first is of a website with ${listed(shown)}. Swap the two codes, or correct "${LANGUAGES}"`;
      for (const key of [CODE, OTHER_CODE]) probing.unfit(key, reason);
      return;
    }
  }
  const lacking = configured.filter((code) => !shown.includes(code));
  const added = shown.filter((code) => !configured.includes(code));
  const isServedIn = async (code: string): Promise<boolean> => isServed(await probing.send(session.snippetIn(code)));
  const rare = RARE.find((code) => !configured.includes(code) && !shown.includes(code));
  const distinguishesLanguages = rare !== undefined && !(await isServedIn(rare));
  const difference = `${listed(configured)} in "${LANGUAGES}" are not the languages that the service returns for the website of "${CODE}" (${listed(shown)})`;
  const remedy = `write ${listed(shown)}, or the code of an installation on a website with the languages of the profile`;
  if (!distinguishesLanguages) {
    unfit(probing, () => probing.unclear(LANGUAGES, difference, remedy));
    return;
  }
  for (const code of [...lacking, ...added].slice(0, MAX_WITNESSES)) {
    // The service treats a language as the profile says and not as its own list says: the list is wrong.
    if ((await isServedIn(code)) === configured.includes(code)) return;
  }
  unfit(probing, () =>
    probing.unfit(
      LANGUAGES,
      `${difference}, and it serves snippets in those languages only: ${remedy}. If you have verified the value, run with --trust ${LANGUAGES}`,
    ),
  );
}

/** Languages that do not fit leave the default one without a ground. */
function unfit(probing: Probing, record: () => void): void {
  record();
  if (!probing.isUsable(LANGUAGES) && probing.profile.website?.defaultLanguage !== undefined)
    probing.unfit(
      DEFAULT,
      `"${DEFAULT}" can't be used while "${LANGUAGES}" does not fit the website: correct that first`,
    );
}

async function languagesOf(probing: Probing, key: Secret, code: Secret): Promise<readonly string[] | undefined> {
  const response = await probing.send(new Apps(key, code).getLanguages());
  const list = isServed(response) && isJsonObject(response.json) ? response.json.languages : undefined;
  return Array.isArray(list) && list.length > 0 && list.every(isLanguageCode) ? list : undefined;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && b.every((code) => a.includes(code));
