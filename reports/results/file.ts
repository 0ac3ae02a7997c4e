/** Reads a `results.json` that may come from anywhere: judged by the published schema before anything trusts it. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EventsError } from '../events/read.ts';
import schema from '../schemas/results.schema.json' with { type: 'json' };
import type { Results } from './index.ts';

let validate: ValidateFunction<Results> | undefined;

/** The results in `text`; `file` names them in the message of the `EventsError` that anything else throws. */
export function readResults(text: string, file: string): Results {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EventsError(
      `${file} is not JSON: give the results.json of a run, or write it again with \`proofmark report\`.`,
    );
  }
  validate ??= new Ajv2020({ strict: true, validateFormats: false, validateSchema: false }).compile<Results>(schema);
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  const problem = `${error?.instancePath || 'it'} ${error?.message ?? 'does not match the schema'}`;
  throw new EventsError(
    `${file} is not the results of a run: ${problem}. Give a results.json, or write it again with \`proofmark report\`.`,
  );
}
