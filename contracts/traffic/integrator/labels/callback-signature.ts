/** The signature of a success callback (spec: Request signing). */
import { LABEL_CALLBACK_FIELDS, SIGNATURE_FIELD, signedFields } from '../../../signing/index.ts';
import type { RuleContext } from '../../call.ts';
import { fieldOf, type LabelCallback } from '../../reading/pages.ts';
import { isSigned, judgeSignature } from '../../signatures.ts';

export const SIGNED = 'provider.callback.signature';
export const TRACKING = 'provider.callback.tracking-signed';

const TRACKING_FIELDS = ['tracking_code', 'tracking_url'];

/** Judges the signature of a success callback, under every reading of the contract that fits. */
export function judgeCallbackSignature(scene: RuleContext, { seen, fields }: LabelCallback): void {
  const { notes } = scene;
  const { n } = seen;
  const expects = 'over label_request_id, then label_url, then the tracking fields in sent order';
  const signed = { what: 'the success callback', fields, n, expects };
  const hasTracking = TRACKING_FIELDS.some((name) => (fieldOf(fields, name) ?? '') !== '');
  if (isSigned(scene, fields) !== false) {
    judgeSignature(scene, SIGNED, signed);
    if (hasTracking) judgeSignature(scene, TRACKING, signed);
    return;
  }
  // Other readings: of an order that the contract does not fix, and of parameters that the callback_url had before.
  const signature = fieldOf(fields, SIGNATURE_FIELD) ?? '';
  const first = ['label_request_id', 'label_url'].flatMap((name) => fields.filter(([other]) => other === name));
  const rest = signedFields(fields).filter((pair) => !first.includes(pair));
  const withSignature = (pairs: typeof rest) => [...pairs, [SIGNATURE_FIELD, signature] as const];
  const tracking = rest.filter(([name]) => TRACKING_FIELDS.includes(name));
  const own = signedFields(fields).filter(([name]) => LABEL_CALLBACK_FIELDS.some((documented) => documented === name));
  const readings = [[...first, ...rest], [...first, ...tracking], own];
  if (readings.some((pairs) => isSigned(scene, withSignature(pairs)) === true)) {
    notes.keeps(SIGNED, n);
    if (hasTracking) notes.keeps(TRACKING, n);
    return;
  }
  const without = withSignature(signedFields(fields).filter(([name]) => !TRACKING_FIELDS.includes(name)));
  const turned = withSignature([...first, ...tracking.toReversed()]);
  const partly = [without, withSignature(first), turned].some((pairs) => isSigned(scene, pairs) === true);
  if (!hasTracking || !partly) {
    judgeSignature(scene, SIGNED, signed);
    return;
  }
  notes.keeps(SIGNED, n);
  notes.breaks(TRACKING, n, {
    message:
      'the signature of the success callback omits the tracking fields, or has them in a different order than they were sent',
    pointer: 'query signature',
    expected: `base64 of HMAC-SHA-256 ${expects}, with the API key`,
    actual: signature,
  });
}
