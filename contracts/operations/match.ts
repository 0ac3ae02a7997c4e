/** Finding the operation of a request by method and path below a base that ends in `/v1/` or `/api/`. */
import type { InterfaceName } from '../envelopes/index.ts';
import { OPERATIONS, type OperationsOf, operationsOf, type ServiceInterface } from './index.ts';

export interface Operation {
  readonly document: InterfaceName;
  readonly id: OperationsOf<ServiceInterface>;
  readonly method: string;
  /** `/store/delivery_method/{handle}/` */
  readonly template: string;
  /** Name of the schema of a JSON request body. */
  readonly request: string | undefined;
  /** Name of the schema of a successful response. */
  readonly response: string;
}

export interface PathMatch {
  readonly template: string;
  /** Decoded; a value that can't be decoded stays as it is. */
  readonly params: Readonly<Record<string, string>>;
  /** Written exactly as the document has it: one slash between segments and one at the end. */
  readonly exact: boolean;
  /** By method. */
  readonly operations: ReadonlyMap<string, Operation>;
}

interface Template {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly operations: ReadonlyMap<string, Operation>;
}

/** A segment that has to be there as it is, or the name of a parameter. */
interface Segment {
  readonly text: string | undefined;
  readonly parameter: string;
}

const TEMPLATES: Readonly<Record<InterfaceName, readonly Template[]>> = {
  v1: templatesOf([...operationsOf('delivery'), ...operationsOf('apps')]),
  api: templatesOf(operationsOf('reseller')),
};

/** The same by the number of their segments: a path is compared with those of its own length. */
const TEMPLATES_BY_LENGTH: Readonly<Record<InterfaceName, ReadonlyMap<number, readonly Template[]>>> = {
  v1: Map.groupBy(TEMPLATES.v1, ({ segments }) => segments.length),
  api: Map.groupBy(TEMPLATES.api, ({ segments }) => segments.length),
};

/** Every operation of a document, once for each method. */
export function documentOperations(document: InterfaceName): Operation[] {
  return TEMPLATES[document].flatMap(({ operations }) => [...operations.values()]);
}

/**
 * The path of the document that fits what follows the base; undefined if no path fits. Slashes that are missing at
 * the end or doubled are ignored; `exact` is false then.
 *
 * @example matchPath('v1', 'store/delivery_method/m-7/')?.params // { handle: 'm-7' }
 */
export function matchPath(document: InterfaceName, behindBase: string): PathMatch | undefined {
  const parts = behindBase.split('/');
  const segments = parts.filter((part) => part !== '');
  const exact = parts.length === segments.length + 1 && parts.at(-1) === '';
  for (const { text, segments: wanted, operations } of TEMPLATES_BY_LENGTH[document].get(segments.length) ?? []) {
    const params = paramsOf(wanted, segments);
    if (params !== undefined) return { template: text, params, exact, operations };
  }
  return undefined;
}

/** What is behind scheme and host, if there are any, up to the query. */
const PATH = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i;
const BASES = [
  ['v1', '/v1/'],
  ['api', '/api/'],
] as const;

/**
 * The operation of any address, whatever its host; undefined when the documents have none for this method and exact path. The
 * base is taken to end at the first `/v1/` or `/api/` of the path.
 *
 * @example operationAt('GET', 'https://store.example/v1/store/delivery_methods/?desc=1')?.id // 'listMethods'
 */
export function operationAt(method: string, url: string): Operation | undefined {
  const path = PATH.exec(url)?.[1] ?? '';
  for (const [document, base] of BASES) {
    const at = path.indexOf(base);
    const match = at < 0 ? undefined : matchPath(document, path.slice(at + base.length));
    const operation = match?.exact === true ? match.operations.get(method) : undefined;
    if (operation !== undefined) return operation;
  }
  return undefined;
}

function paramsOf(wanted: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  for (let at = 0; at < wanted.length; at += 1) {
    const { text } = wanted[at] as Segment;
    if (text !== undefined && text !== segments[at]) return undefined;
  }
  const params: Record<string, string> = {};
  for (let at = 0; at < wanted.length; at += 1) {
    const { text, parameter } = wanted[at] as Segment;
    if (text === undefined) params[parameter] = decoded(segments[at] as string);
  }
  return params;
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function templatesOf(ids: readonly OperationsOf<ServiceInterface>[]): Template[] {
  const byPath = new Map<string, Map<string, Operation>>();
  for (const id of ids) {
    const { document, methods, template, request, response } = OPERATIONS[id];
    const operations = byPath.get(template) ?? new Map<string, Operation>();
    byPath.set(template, operations);
    for (const method of methods)
      operations.set(method, { document, id, method, template, request: request ?? undefined, response });
  }
  return [...byPath].map(([text, operations]) => ({
    text,
    segments: text
      .split('/')
      .filter((part) => part !== '')
      .map((part) =>
        part.startsWith('{') ? { text: undefined, parameter: part.slice(1, -1) } : { text: part, parameter: '' },
      ),
    operations,
  }));
}
