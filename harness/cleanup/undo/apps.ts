/** Undoes what a run did in the Apps interface: snippets and data it set. An uninstalled app can't be brought back by calls. */

import { isDeepStrictEqual } from 'node:util';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { isServed } from '../../target/response/judge-response.ts';
import { Secret } from '../../target/secrets/secret.ts';
import type { Installation, LedgerEntry } from '../ledger.ts';
import { openCode } from '../ledger-secrets.ts';
import { type CleanupResult, needed, served, type UndoTools } from './outcome.ts';

type Of<Kind extends LedgerEntry['kind']> = Extract<LedgerEntry, { kind: Kind }>;

/** Shows nothing on any page: in place of a snippet of the run, where the target takes no empty one. */
const NO_SNIPPET = '<!-- -->';

/** Sets the old snippet again; where none was set, the empty one, since the interface can't take one away. */
export async function undoSnippet(entry: Of<'snippet'>, tools: UndoTools): Promise<CleanupResult> {
  const where = entry.language === undefined ? '' : ` for ${entry.language}`;
  const object = `snippet${where} (${nameOf(entry.installation)})`;
  const apps = appsOf(entry.installation, tools);
  const set = (snippet: string) => tools.send(apps.setSnippet(snippet, entry.language));
  const old = entry.old ?? '';
  const response = await set(old);
  if (!isServed(response) && (await shown(apps.snippetIn(entry.language), 'snippet', tools)) === old)
    return { outcome: 'restored', object };
  if (old === '' && !isServed(response) && isServed(await set(NO_SNIPPET))) {
    const reason = `none was set before, and the target refuses an empty snippet, so it is now ${NO_SNIPPET}, which no page shows`;
    return { outcome: 'left', object, reason };
  }
  await served(Promise.resolve(response), `restore the old snippet${where}`);
  return { outcome: 'restored', object };
}

/** Sets the old data again; where none was set, the empty text, for the same reason. */
export async function undoData(entry: Of<'app-data'>, tools: UndoTools): Promise<CleanupResult> {
  const object = `app data (${nameOf(entry.installation)})`;
  const apps = appsOf(entry.installation, tools);
  const old = entry.old ?? '';
  const response = await tools.send(withText(apps.setData(old), entry.text));
  if (!isServed(response) && isDeepStrictEqual(await shown(apps.getData(), 'data', tools), old))
    return { outcome: 'restored', object };
  if (old === '' && !isServed(response) && isServed(await tools.send(apps.setData({})))) {
    const reason = 'none was set before, and the target refuses an empty string, so it is now an empty object';
    return { outcome: 'left', object, reason };
  }
  await served(Promise.resolve(response), 'restore the old app data');
  return { outcome: 'restored', object };
}

/** The call with the old data as they were written, where they have numbers that JavaScript can't hold. */
const withText = (call: ServiceRequest, text: string | undefined): ServiceRequest =>
  text === undefined ? call : { ...call, body: { raw: `{"data":${text}}`, contentType: 'application/json' } };

/** What the target shows: where that is the old value, a change that it does not take back was never made. */
async function shown(call: ServiceRequest, name: 'snippet' | 'data', tools: UndoTools): Promise<unknown> {
  const response = await tools.send(call);
  if (!isServed(response) || !isJsonObject(response.json)) return undefined;
  return isUnset(response.json[name]) ? '' : response.json[name];
}

/** An app that the run has uninstalled can only be installed again by a person: reports whether it is back. */
export async function undoUninstall(entry: Of<'app-uninstalled'>, tools: UndoTools): Promise<CleanupResult> {
  const object = `app installation (${nameOf(entry.installation)})`;
  const response = await tools.send(appsOf(entry.installation, tools).getLanguages());
  if (isServed(response)) return { outcome: 'restored', object };
  const reason = `the run uninstalled the app, as the permission "uninstall" allows: install it again from the catalog and set the new code in the profile as apps.${nameOf(entry.installation)}`;
  return { outcome: 'left', object, reason };
}

/** Deletes an installation that the run made, which takes the app's snippets and data with it. */
export async function undoInstallation(entry: Of<'installation'>, tools: UndoTools): Promise<CleanupResult> {
  const object = 'installation of the app';
  const { apps } = tools.profile;
  const key = needed(apps?.apiKey, 'apps.apiKey');
  const left = (reason: string): CleanupResult => ({ outcome: 'left', object, reason });
  if (entry.sealedCode === undefined) {
    return left(
      'the run started to install the app and received no authCode: if the website has it now, uninstall it in the catalog',
    );
  }
  const code = openCode(entry.sealedCode, key);
  if (code === undefined) return left('the installation was made with a key other than the one in apps.apiKey');
  if ([apps?.authCode, apps?.otherAuthCode].some((own) => own?.reveal() === code)) {
    return left('the installation belongs to the profile, and a run does not delete it');
  }
  const installation = new Apps(key, new Secret('AUTH_CODE', code));
  const before = await tools.send(installation.getLanguages());
  // Deleted by its check already: then its code opens nothing.
  if (!isServed(before) && before.status < 500 && before.status !== 429) return { outcome: 'removed', object };
  await served(tools.send(installation.uninstallApp()), 'delete the installation');
  return { outcome: 'removed', object };
}

/** Leads the app to its old addresses. No interface does that: it takes the driver. */
export async function undoRegistration({ old }: Of<'registered-app'>, tools: UndoTools): Promise<CleanupResult> {
  const object = 'addresses of the app';
  const left = (why: string, how = ''): CleanupResult => ({
    outcome: 'left',
    object,
    reason: `the app's addresses lead to the harness, ${why}: restore them in the app setup portal${how}`,
  });
  if (old === undefined) return left('and the driver did not report the previous ones');
  const mode = old.tabMode === undefined ? '' : `, tab mode ${old.tabMode}`;
  const how = ` (install ${old.installUrl}, settings ${old.settingsUrl}${mode})`;
  if (tools.registerApp === undefined) return left('and there is no driver to restore them', how);
  try {
    await tools.registerApp(old);
  } catch (error) {
    return left(`and the driver could not restore them (${(error as Error).message.split('\n', 1)[0]})`, how);
  }
  return { outcome: 'restored', object };
}

function appsOf(installation: Installation, { profile }: UndoTools): Apps {
  const key = needed(profile.apps?.apiKey, 'apps.apiKey');
  return new Apps(key, needed(profile.apps?.[nameOf(installation)], `apps.${nameOf(installation)}`));
}

const nameOf = (installation: Installation): 'authCode' | 'otherAuthCode' =>
  installation === 'own' ? 'authCode' : 'otherAuthCode';
