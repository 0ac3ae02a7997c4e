/** The field names that the contract lists for signed requests, in the order in which it lists them. */
import { LABEL_REQUEST } from '../fields/catalogue/label-request.ts';

type LabelRequestField = keyof typeof LABEL_REQUEST;

/** Label request (spec: Events, "Label request"), without `signature`. A service may add custom fields and others. */
export const LABEL_REQUEST_FIELDS: readonly LabelRequestField[] = Object.keys(LABEL_REQUEST) as LabelRequestField[];

/** Success callback (spec: Events, "Provider behaviour"), without `signature`. The last two are optional. */
export const LABEL_CALLBACK_FIELDS = ['label_request_id', 'label_url', 'tracking_code', 'tracking_url'] as const;
