/** The harness in the place of the profile's app: two ways to be registered, and how to restore what was registered before. */
import type { Page } from '@playwright/test';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { sharedPage } from '../../../harness/browser/shared-page.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CleanupResult } from '../../../harness/cleanup/undo/index.ts';
import type { TrackedEntry } from '../../../harness/cleanup/undo/scope.ts';
import { once } from '../../../harness/resources/once.ts';
import type { AppRegistration } from '../../../harness/target/driver/target-driver.ts';

/** `self`: plain addresses, opened in the same tab. `blank`: addresses with a query of their own, opened in a new tab. */
export type AppShape = 'self' | 'blank';

export interface App {
  readonly shape: AppShape;
  /** Its name in the listener; `/install` and `/settings` follow. */
  readonly listensAs: string;
  readonly installUrl: string;
  readonly settingsUrl: string;
}

/** Parameters that the addresses of the app have of their own. Encoders write some of them in several ways, and all are right. */
export const OWN_QUERY = {
  install: 'pm_shop=7&pm_note=r%C4%ABga%20north',
  settings: 'pm_tab=main&pm_ref=a%26b%3Dc',
} as const;

export const INSTALL_PATH = '/install';
export const SETTINGS_PATH = '/settings';

/** The page of the user who installs apps. */
export const userPage = (context: Context): Promise<Page> => sharedPage(context, 'app user');

/** The app of that shape; its addresses are the listener's. */
export async function appOf(context: Context, shape: AppShape): Promise<App> {
  const { base } = await context.listener();
  const listensAs = `app-${shape}`;
  const query = (own: string): string => (shape === 'blank' ? `?${own}` : '');
  return {
    shape,
    listensAs,
    installUrl: `${base}${listensAs}${INSTALL_PATH}${query(OWN_QUERY.install)}`,
    settingsUrl: `${base}${listensAs}${SETTINGS_PATH}${query(OWN_QUERY.settings)}`,
  };
}

interface Registered {
  /** What the catalog leads to now. */
  current: AppShape | undefined;
  /** Keeps an eye on what was registered before, from the first change on. */
  tracked: TrackedEntry | undefined;
  old: AppRegistration | undefined;
}

const stateOf = (context: Context): Promise<Registered> =>
  once(context, 'registration of the app', async () => ({ current: undefined, tracked: undefined, old: undefined }));

/** The shape that is registered, or the one to begin with: where any will do, nothing has to be registered again. */
export async function anyShape(context: Context): Promise<AppShape> {
  return (await stateOf(context)).current ?? 'self';
}

/** Has the driver lead the catalog's app to the harness, when it does not do so already. */
export async function register(context: Context, { installUrl, settingsUrl, shape }: App): Promise<void> {
  const state = await stateOf(context);
  if (state.current === shape) return;
  state.tracked ??= context.givenForAll.track({ kind: 'registered-app' }, () => putBack(context, state));
  state.current = undefined;
  const before = await context.driver.registerApp(await userPage(context), { installUrl, settingsUrl, tabMode: shape });
  state.current = shape;
  if (state.old !== undefined) return;
  state.old = registrationIn(before);
  if (state.old !== undefined) state.tracked.created({ old: state.old });
}

async function putBack(context: Context, { current, old }: Registered): Promise<CleanupResult> {
  const object = 'addresses of the app';
  if (old === undefined) {
    const why =
      current === undefined
        ? "the driver's registerApp() failed, so the app's addresses may lead to the harness"
        : "the driver's registerApp() does not return what was registered before, so the app's addresses lead to the harness";
    return { outcome: 'left', object, reason: `${why}: restore them in the app setup portal` };
  }
  await context.driver.registerApp(await userPage(context), old);
  return { outcome: 'restored', object };
}

/** What a driver says was registered before; drivers may return nothing. */
function registrationIn(value: unknown): AppRegistration | undefined {
  if (!isJsonObject(value) || typeof value.installUrl !== 'string' || typeof value.settingsUrl !== 'string')
    return undefined;
  const { installUrl, settingsUrl, tabMode } = value;
  return { installUrl, settingsUrl, ...(tabMode === 'blank' || tabMode === 'self' ? { tabMode } : {}) };
}
