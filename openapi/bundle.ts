// The hand-written documents as one object each: what the generator, the tests and the linter's companions read.
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';

/** Names of the contract documents: `openapi/NAME.yaml`. */
export const DOCUMENT_NAMES = ['v1', 'api', 'integrator'] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];

export type JsonObject = { [member: string]: unknown };

/**
 * Reads `openapi/NAME.yaml` and the files that it refers to, and puts them into one object whose references all stay
 * inside it. Throws when a reference leads nowhere.
 */
export async function bundleDocument(name: DocumentName): Promise<JsonObject> {
  const file = fileURLToPath(new URL(`${name}.yaml`, import.meta.url));
  return (await SwaggerParser.bundle(file)) as unknown as JsonObject;
}
