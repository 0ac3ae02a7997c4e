/** Judging the manifests that integrators submit, and the icon that an app manifest points to. */
export { DATA_FIELD_TYPES } from '../fields/catalogue/manifests.ts';
export { judgeAppManifest, MAX_SHORT_DESCRIPTION_CHARACTERS, SECRET_CHARACTERS_MIN } from './app.ts';
export { judgeDeliveryManifest } from './delivery.ts';
export { ICON_PIXELS_MIN, judgeIcon } from './icon.ts';
export type { ManifestFault } from './judge.ts';
