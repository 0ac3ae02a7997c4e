/** What a generic tool is to the comparison. */
import { join } from 'node:path';
import type { RunningMock } from '../../../mock/index.ts';
import { RIVALS } from '../rivals.ts';
import type { Documents } from './documents.ts';

/** Where the tools are installed: outside the product's lock file. */
export const INSTALLED = join(RIVALS, 'node_modules');

export interface Setting {
  /** For files of the tools; removed at the end. */
  readonly folder: string;
  readonly documents: Documents;
  readonly service: RunningMock;
  /** Values of the names in braces of the calls. */
  readonly inputs: Readonly<Record<string, string>>;
}

export interface GenericTool {
  readonly name: string;
  /** Runs the tool once on the service as it is now; how many failures it reports. */
  failures(): Promise<number>;
  close(): void;
}
