/** The delivery provider manifest (spec: "Delivery provider manifest (A, public integration)"). */
import { PROVIDER_MANIFEST } from '../fields/catalogue/manifests.ts';
import { isJsonObject } from '../json/object.ts';
import { pointerOf } from '../json/pointer.ts';
import { LABEL_REQUEST_FIELDS, SIGNATURE_FIELD } from '../signing/index.ts';
import { type ManifestFault, ManifestJudge } from './judge.ts';
import { judgeRows } from './rows.ts';

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
    judge.add('type', 'MUST', '', `The manifest is ${judge.inWords(value)}; it must be a JSON object.`);
    return judge.faults;
  }
  judgeRows(judge, PROVIDER_MANIFEST, value);
  if (Array.isArray(value.delivery_api_data_fields)) judgeIds(judge, value.delivery_api_data_fields);
  return judge.faults;
}

/** The id of a data field names a form parameter of the label page. */
function judgeIds(judge: ManifestJudge, dataFields: readonly unknown[]): void {
  const firstOf = new Map<string, number>();
  for (const [i, dataField] of dataFields.entries()) {
    const id = isJsonObject(dataField) ? dataField.id : undefined;
    if (typeof id !== 'string' || id.trim() === '') continue;
    const pointer = pointerOf('delivery_api_data_fields', i, 'id');
    const first = firstOf.get(id);
    if (first !== undefined) {
      const message = `The id ${JSON.stringify(id)} is also the id of data field ${first + 1}: one value will overwrite the other.`;
      judge.add('data-field-ids-unique', 'SHOULD', pointer, message);
    } else firstOf.set(id, i);
    if ([...LABEL_REQUEST_FIELDS, SIGNATURE_FIELD].some((name) => name === id)) {
      const message = `The id ${JSON.stringify(id)} is the name of a field of the label request: the label page cannot distinguish them.`;
      judge.add('data-field-id-taken', 'SHOULD', pointer, message);
    }
  }
}
