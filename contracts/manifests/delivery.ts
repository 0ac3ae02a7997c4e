/** The delivery provider manifest (spec: "Delivery provider manifest (A, public integration)"). */
import { isJsonObject, pointerOf } from '../run/fault.ts';
import { LABEL_REQUEST_FIELDS, SIGNATURE_FIELD } from '../signing/index.ts';
import { judgeEmail } from './app.ts';
import { at, type Field, type ManifestFault, ManifestJudge } from './judge.ts';

/** What a store admin can be asked for. */
export const DATA_FIELD_TYPES = ['text', 'password', 'checkbox', 'email'] as const;

/**
 * Every fault of a delivery provider manifest. Unknown fields are not a fault.
 *
 * @param value the parsed JSON of the manifest
 * @example judgeDeliveryManifest({ ...manifest, app_title: { en: 'Parcels' } })
 * // [{ rule: 'manifest.text.type', level: 'MUST', pointer: '/app_title', message: '… not localizable.' }]
 */
export function judgeDeliveryManifest(value: unknown): ManifestFault[] {
  const judge = new ManifestJudge();
  if (!isJsonObject(value)) {
    judge.add('type', 'MUST', '', `The manifest is ${judge.inWords(value)}; it has to be a JSON object.`);
    return judge.faults;
  }
  const field = (name: string): Field => ({ owner: value, pointer: '', name });
  judge.oneOf(field('app_type'), ['DELIVERY_SERVICE']);
  judge.text(field('app_title'), true);
  judgeVendor(judge, field('app_vendor'));
  judgeDataFields(judge, field('delivery_api_data_fields'));
  judgeInfo(judge, field('delivery_service_info'));
  return judge.faults;
}

function judgeVendor(judge: ManifestJudge, field: Field): void {
  const vendor = judge.valueOf(field, true);
  if (vendor === undefined) return;
  if (!isJsonObject(vendor)) {
    judge.add('type', 'MUST', at(field), `\`app_vendor\` is ${judge.inWords(vendor)}; it has to be an object.`);
    return;
  }
  for (const name of ['company_name', 'support_email', 'support_phone', 'developer_email']) {
    const own: Field = { owner: vendor, pointer: at(field), name };
    const text = judge.text(own, true);
    if (text !== undefined && name.endsWith('_email')) judgeEmail(judge, text, at(own), name);
  }
}

function judgeDataFields(judge: ManifestJudge, field: Field): void {
  const list = judge.valueOf(field, false);
  if (list === undefined) return;
  if (!Array.isArray(list)) {
    judge.add(
      'type',
      'MUST',
      at(field),
      `\`${field.name}\` is ${judge.inWords(list)}; it has to be a list of objects.`,
    );
    return;
  }
  const firstOf = new Map<string, number>();
  for (const [i, entry] of list.entries()) {
    const pointer = at(field) + pointerOf(i);
    if (!isJsonObject(entry)) {
      judge.add('type', 'MUST', pointer, `Data field ${i + 1} is ${judge.inWords(entry)}; it has to be an object.`);
      continue;
    }
    const own = (name: string): Field => ({ owner: entry, pointer, name });
    const id = judge.text(own('id'), true);
    judge.localized(own('title'), true);
    judge.oneOf(own('type'), DATA_FIELD_TYPES);
    const required = judge.valueOf(own('required'), false);
    if (required !== undefined && typeof required !== 'boolean') {
      const message = `\`required\` is ${judge.inWords(required)}; it has to be true or false.`;
      judge.add('boolean', 'MUST', at(own('required')), message);
    }
    if (id === undefined) continue;
    const first = firstOf.get(id);
    if (first !== undefined) {
      const message = `The id ${JSON.stringify(id)} is that of data field ${first + 1}, too: one value will hide the other.`;
      judge.add('data-field-ids-unique', 'SHOULD', at(own('id')), message);
    } else firstOf.set(id, i);
    if ([...LABEL_REQUEST_FIELDS, SIGNATURE_FIELD].some((name) => name === id)) {
      const message = `The id ${JSON.stringify(id)} is the name of a field of the label request: the label page cannot distinguish them.`;
      judge.add('data-field-id-taken', 'SHOULD', at(own('id')), message);
    }
  }
}

function judgeInfo(judge: ManifestJudge, field: Field): void {
  const info = judge.valueOf(field, false);
  if (info === undefined) return;
  if (!isJsonObject(info)) {
    judge.add('type', 'MUST', at(field), `\`${field.name}\` is ${judge.inWords(info)}; it has to be an object.`);
    return;
  }
  for (const { text, pointer } of judge.localized({ owner: info, pointer: at(field), name: 'info_url' }, false)) {
    judge.address(text, pointer, 'info_url', 'SHOULD');
  }
}
