/** Responses that a mutant builds itself, with the wording of the correct service. */
import type { Interface } from '../locations/operations.ts';
import type { Json, Reply } from '../message.ts';

const reply = (status: number, json: Json): Reply => ({
  status,
  headers: new Headers({ 'content-type': 'application/json' }),
  json,
  text: JSON.stringify(json),
});

export const success = (): Reply => reply(200, { error: false });

export const refusal = (iface: Interface, status = 400, message = 'This is refused.'): Reply =>
  reply(
    status,
    iface === 'reseller'
      ? { error: true, errorCode: status, errorMsg: message }
      : { error: true, error_code: status, error_message: message },
  );
