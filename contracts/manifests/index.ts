/** Judging the manifests that integrators submit, and the icon that an app manifest points to. */
export { DATA_FIELD_TYPES } from '../fields/catalogue/manifests.ts';
export { judgeAppManifest, MAX_SHORT_DESCRIPTION_CHARACTERS, MIN_SECRET_CHARACTERS } from './app.ts';
export { judgeDeliveryManifest } from './delivery.ts';
export { judgeIcon, MIN_ICON_PIXELS } from './icon.ts';
export type { ManifestFault } from './judge.ts';
