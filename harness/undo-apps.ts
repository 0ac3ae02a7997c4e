/** Undoes what a run did in the Apps interface: snippets and data it set. An uninstalled app can't be brought back by calls. */
import { isServed } from './judge-answer.ts';
import type { Installation, LedgerEntry } from './ledger.ts';
import { Apps } from './target/apps.ts';
import { needed, served, type Undone, type UndoTools } from './undo-tools.ts';

type Of<Kind extends LedgerEntry['kind']> = Extract<LedgerEntry, { kind: Kind }>;

/** Sets the old snippet again; where none was set, the empty one, since the interface can't take one away. */
export async function undoSnippet(entry: Of<'snippet'>, tools: UndoTools): Promise<Undone> {
  const where = entry.language === undefined ? '' : ` for ${entry.language}`;
  const call = appsOf(entry.installation, tools).setSnippet(entry.old ?? '', entry.language);
  await served(tools.send(call), `take back the old snippet${where}`);
  return { outcome: 'restored', object: `snippet${where} (${nameOf(entry.installation)})` };
}

export async function undoData(entry: Of<'app-data'>, tools: UndoTools): Promise<Undone> {
  await served(tools.send(appsOf(entry.installation, tools).setData(entry.old ?? '')), 'take back the old app data');
  return { outcome: 'restored', object: `app data (${nameOf(entry.installation)})` };
}

export async function undoUninstall(entry: Of<'app-uninstalled'>, tools: UndoTools): Promise<Undone> {
  const object = `app installation (${nameOf(entry.installation)})`;
  const answer = await tools.send(appsOf(entry.installation, tools).languages());
  if (isServed(answer)) return { outcome: 'restored', object };
  const reason = `the run uninstalled the app, as the permission "uninstall" allows: install it again from the catalog and put the new code into the profile as apps.${nameOf(entry.installation)}`;
  return { outcome: 'left', object, reason };
}

function appsOf(installation: Installation, { profile }: UndoTools): Apps {
  const key = needed(profile.apps?.apiKey, 'apps.apiKey');
  return new Apps(key, needed(profile.apps?.[nameOf(installation)], `apps.${nameOf(installation)}`));
}

const nameOf = (installation: Installation): 'authCode' | 'otherAuthCode' =>
  installation === 'own' ? 'authCode' : 'otherAuthCode';
