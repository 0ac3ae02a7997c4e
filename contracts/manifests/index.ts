/** Judging the manifests that integrators submit, and the icon that an app manifest points to. */
export { judgeAppManifest, SECRET_CHARACTERS_MIN, SHORT_DESCRIPTION_CHARACTERS_MAX } from './app.ts';
export { DATA_FIELD_TYPES, judgeDeliveryManifest } from './delivery.ts';
export { ICON_PIXELS_MIN, judgeIcon } from './icon.ts';
export type { ManifestFault } from './judge.ts';
