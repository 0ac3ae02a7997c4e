/** Our OpenAPI documents as the generic tools can read them: one file each, without references and without ranges of status codes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';

const SOURCES = join(import.meta.dirname, '../../../openapi');

/** Respect and Specmatic know single status codes only. */
const STATUSES = {
  '4XX': [400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 421, 422, 423, 428, 429, 431],
  '5XX': [500, 501, 502, 503, 504],
} as const;

export interface Documents {
  readonly v1: string;
  readonly api: string;
}

/** Writes both documents into the folder and returns their paths. */
export async function writeDocuments(folder: string): Promise<Documents> {
  const written = { v1: join(folder, 'v1.json'), api: join(folder, 'api.json') };
  for (const [name, file] of Object.entries(written)) {
    const whole = await SwaggerParser.dereference(join(SOURCES, `${name}.yaml`));
    // Prism 5 does not know the member `summary` of OpenAPI 3.1.
    const { summary: _, ...info } = whole.info as { summary?: string };
    writeFileSync(file, JSON.stringify(withSingleStatuses({ ...whole, info })));
  }
  return written;
}

function withSingleStatuses(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSingleStatuses);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const kept = withSingleStatuses(one);
      return key in STATUSES
        ? STATUSES[key as keyof typeof STATUSES].map((status) => [String(status), kept])
        : [[key, kept]];
    }),
  );
}
