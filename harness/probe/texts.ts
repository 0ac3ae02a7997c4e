/**
 * Whether multilanguage texts go where the profile says: a delivery method with a title in each language is accepted, and a
 * plain string goes to the default language. It creates two delivery methods of the run and removes them.
 */

import { resourceOf } from '../../contracts/envelopes/index.ts';
import { isLanguageCode } from '../../contracts/fields/scalars.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import type { Given } from '../check/given/index.ts';
import { handleIn } from '../check/given/index.ts';
import { atOnce } from '../process/at-once.ts';
import { Delivery, type Json } from '../target/interfaces/delivery.ts';
import { isServed } from '../target/response/judge-response.ts';
import { listed, type Probing } from './probing.ts';
import { homeLanguage } from './values/home-language.ts';

const KEY = 'delivery.private.apiKey';
const LANGUAGES = 'website.languages';
const DEFAULT = 'website.defaultLanguage';

/** What a run lends to a probe that writes. */
export interface ProbeWriter {
  readonly given: Given;
  readonly newMark: () => string;
}

/** Finds out whether `website.languages` and `website.defaultLanguage` fit: creates two methods and reads their titles. */
export async function probeTexts(probing: Probing, writing: ProbeWriter): Promise<void> {
  const { delivery, website, allow } = probing.profile;
  const key = delivery?.private?.apiKey;
  const languages = website?.languages ?? [];
  if (key === undefined || languages.length < 2 || !allow.has('write')) return;
  if (![KEY, LANGUAGES].every((name) => probing.isUsable(name))) return;
  const store = new Delivery('private', key);
  const inEach = Object.fromEntries(languages.map((code) => [code, `Proofmark probe (${code})`]));
  const [full, plain] = await atOnce([
    () => create(probing, writing, store, inEach),
    () => create(probing, writing, store, PLAIN),
  ]);
  if (full === undefined && plain !== undefined) {
    probing.unclear(
      LANGUAGES,
      `The store of "${KEY}" refuses a title in ${listed(languages)} and accepts the same title as a plain string`,
      'write the language codes of the website to which the key belongs',
    );
    return;
  }
  const configured = website?.defaultLanguage;
  if (configured === undefined || full === undefined || plain === undefined) return;
  const created = onlyLanguage(plain.title);
  await probing.send(store.changeMethod(full.handle, { title: PLAIN }));
  const after = await titleOf(probing, store, full.handle);
  const changed = isJsonObject(after) ? Object.keys(after).filter((code) => after[code] === PLAIN) : [];
  const updated = changed.length === 1 ? changed[0] : undefined;
  const found = updated ?? created;
  // A create and an update that disagree are the service's affair.
  if (found === undefined || (created !== undefined && created !== found)) return;
  if (found === configured || !languages.includes(found)) return;
  const home = await homeLanguage(probing);
  // The website greets its visitors in the configured language: then the service stores the text in the wrong one.
  if (home === configured) return;
  const difference = `A plain title goes to the language "${found}" and not to "${configured}"`;
  if (home === found) {
    const reason = `${difference}, and the website shows its pages in "${found}" too: write "${found}" into "${DEFAULT}". If you have verified the value, run with --trust ${DEFAULT}`;
    probing.unfit(DEFAULT, reason);
  } else probing.unclear(DEFAULT, difference, `write "${found}"`);
}

const PLAIN = 'Proofmark probe';

/** The language of a title that has one. */
function onlyLanguage(title: unknown): string | undefined {
  if (!isJsonObject(title)) return undefined;
  const filled = Object.keys(title).filter((code) => title[code] === PLAIN);
  return filled.length === 1 && isLanguageCode(filled[0]) ? filled[0] : undefined;
}

async function create(
  { send }: Probing,
  { given, newMark }: ProbeWriter,
  store: Delivery,
  title: unknown,
): Promise<{ handle: string; title: unknown } | undefined> {
  const reference = newMark();
  const tracked = given.track({ kind: 'delivery-method', owner: 'private', reference });
  const response = await send(store.addMethod({ ...given.methodFields(reference), title } as Json));
  // What was refused may have been created all the same: the entry stays, and the clean-up looks for it.
  if (!isServed(response)) return undefined;
  const handle = handleIn(response) ?? (await given.findMethod(store, reference));
  tracked.created({ handle });
  return { handle, title: await titleOf({ send } as Probing, store, handle) };
}

async function titleOf({ send }: Pick<Probing, 'send'>, store: Delivery, handle: string): Promise<unknown> {
  const response = await send(store.readMethod(handle));
  const method = isServed(response) ? resourceOf(response.json, 'delivery_method') : undefined;
  return isJsonObject(method) ? method.title : undefined;
}
