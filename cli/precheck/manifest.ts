/** The manifest of an integrator, from a file or an address, as JSON whose every part knows its line. */

import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../contracts/json/object.ts';
import type { Fetcher } from '../../harness/integrator/fetch/fetcher.ts';
import { pause } from '../../harness/process/until.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { NoResponse } from '../../harness/target/client/no-response.ts';
import { JsonTextError, parseJsonText, positionOf } from '../../harness/target/response/json-text.ts';
import { statOf } from '../common/files/stat-of.ts';

export interface Manifest {
  /** The file or the address that it came from. */
  readonly source: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The line, from 1, of the value under a JSON pointer; of what would hold it, where it is missing. */
  lineOf(pointer: string): number;
}

/** No manifest comes near it. */
const MAX_MANIFEST_BYTES = 1024 * 1024;
const TRY_AGAIN_AFTER_MS = 500;

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

/** Reads a manifest file. Throws a UsageError with one sentence when it can't be read as a JSON object. */
export function readManifestFile(file: string): Manifest {
  const stat = statOf(file, 'correct --manifest');
  if (stat === undefined) throw new UsageError(`There is no manifest file ${file}: correct --manifest.`);
  if (!stat.isFile()) throw new UsageError(`The manifest ${file} is not a file: correct --manifest.`);
  if (stat.size > MAX_MANIFEST_BYTES) throw new UsageError(`The manifest ${file} is larger than 1 MiB.`);
  return parseManifest(readFileSync(file), file);
}

/**
 * Fetches a manifest, waiting for its server to come up. Throws a UsageError when it is not served, or is not a JSON object.
 */
export async function fetchManifest(
  url: string,
  fetcher: Fetcher,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Manifest> {
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      const response = await fetcher.fetch(url, { role: 'manifest' });
      if (response.status < 200 || response.status > 299) {
        throw new UsageError(
          `The address of the manifest, ${url}, returns status ${response.status}: serve the manifest there, or give its file.`,
        );
      }
      if (response.bytes.length > MAX_MANIFEST_BYTES)
        throw new UsageError(`The manifest at ${url} is larger than 1 MiB.`);
      return parseManifest(response.bytes, url);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      if (signal?.aborted === true)
        throw new UsageError('The precheck was interrupted before it could read a manifest.');
      if (performance.now() + TRY_AGAIN_AFTER_MS >= end)
        throw new UsageError(`The manifest can't be read. ${error.message}`);
      await pause(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** Every mandatory field is called so; a profile, or a file of package.json, has none of them. */
const OF_A_MANIFEST = /^app_|^delivery_/i;

/** Throws a UsageError that names line and column. */
export function parseManifest(bytes: Uint8Array, source: string): Manifest {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`The manifest ${source} is not UTF-8 text.`);
  }
  try {
    const root = parseJsonText(text);
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value))
      throw new UsageError(
        `The manifest ${source} is ${kindOf(value)}: a manifest is one JSON object, from its { at the start to its } at the end.`,
      );
    const names = Object.keys(value);
    if (names.length > 0 && !names.some((name) => OF_A_MANIFEST.test(name)))
      throw new UsageError(
        `${source} is not a manifest: none of its fields is one of a manifest, which begin with app_. Correct --manifest.`,
      );
    return { source, value, lineOf: (pointer) => positionOf(text, offsetOf(root, pointer)).line };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { line, column } = positionOf(text, error.at);
    throw new UsageError(`The manifest ${source} is not JSON, line ${line}, column ${column}: ${error.message}`);
  }
}

/** What a value that is not an object is, for people. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a JSON list';
  return value === null ? 'the JSON value null' : `a JSON ${typeof value}`;
}

type Node = ReturnType<typeof parseJsonText>;

function offsetOf(root: Node, pointer: string): number {
  let node = root;
  let at = root.at;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (node.kind === 'object') {
      const entry = node.entries.find(({ key }) => key === name);
      if (entry === undefined) return at;
      at = entry.at;
      node = entry.value;
    } else if (node.kind === 'array') {
      const item = node.items[Number(name)];
      if (item === undefined) return at;
      at = item.at;
      node = item;
    } else return at;
  }
  return at;
}
