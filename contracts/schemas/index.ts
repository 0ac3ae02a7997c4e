// Judges values against the schemas of the contract documents. Reads no file: the documents are a generated constant.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { DocumentName } from '../envelopes/wire.ts';
import { DOCUMENTS } from '../generated/documents.generated.ts';
import { jsonIn } from '../json/parse.ts';
import { faultsOf, type SchemaFault } from './sentences.ts';

export type { SchemaFault } from './sentences.ts';

type JsonObject = { readonly [member: string]: unknown };

/** By document, then by name: an address put together for every look would cost more than the look. */
const compiled = new Map<DocumentName, Map<string, ValidateFunction>>();
let shared: Ajv2020 | undefined;

const isJsonText = (text: string): boolean => jsonIn(text) !== undefined;

/** One ajv with all documents; they are registered on first use, schemas are compiled one by one when asked for. */
function ajv(): Ajv2020 {
  if (shared !== undefined) return shared;
  shared = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false });
  // The package's types describe its CommonJS form.
  (addFormats as unknown as (target: Ajv2020) => void)(shared);
  shared.addFormat('json-text', isJsonText);
  for (const [name, document] of Object.entries(DOCUMENTS)) shared.addSchema(document, name);
  return shared;
}

function schemasOf(document: DocumentName): JsonObject {
  return (DOCUMENTS[document].components as { readonly schemas: JsonObject }).schemas;
}

function validatorFor(document: DocumentName, schemaName: string): ValidateFunction {
  const known = compiled.get(document)?.get(schemaName);
  if (known !== undefined) return known;
  if (!Object.hasOwn(schemasOf(document), schemaName)) {
    const names = Object.keys(schemasOf(document)).join(', ');
    throw new Error(`openapi/${document}.yaml has no schema ${schemaName}: use one of ${names}.`);
  }
  const validate = ajv().compile({ $ref: `${document}#/components/schemas/${schemaName}` });
  compiled.set(document, (compiled.get(document) ?? new Map()).set(schemaName, validate));
  return validate;
}

/**
 * Where `value` (parsed JSON, or the fields of a form or query) deviates from a schema of `openapi/DOCUMENT.yaml`;
 * an empty list means that it conforms. Answers are judged as the spec's general rule on resources says: unknown
 * members are allowed, an optional value that was never set may be missing, null, "" or [].
 * Throws an Error when the document has no schema of that name.
 *
 * @example
 * schemaErrors('v1', 'ErrorEnvelope', { error: true, error_code: '401', error_message: 'Unauthorized' });
 * // [{ pointer: '/error_code', message: 'must be an integer, and is a string', keyword: 'type' }]
 */
export function schemaErrors(document: DocumentName, schemaName: string, value: unknown): SchemaFault[] {
  const validate = validatorFor(document, schemaName);
  if (validate(value)) return [];
  const schemas = schemasOf(document);
  return faultsOf(validate.errors ?? [], (reference) => schemas[reference.split('/').at(-1) ?? ''] as JsonObject);
}
