/** The operations of the service's documents, found by method and path below a base that ends in `/v1/` or `/api/`. */
import type { InterfaceName } from '../../envelopes/index.ts';
import { DOCUMENTS } from '../../generated/documents.generated.ts';

export interface Operation {
  readonly document: InterfaceName;
  /** `operationId` of the document; of Reseller without the way it is called by: `listWebsites`. */
  readonly id: string;
  readonly method: string;
  /** `/store/delivery_method/{handle}/` */
  readonly template: string;
  /** Name of the schema of a JSON request body. */
  readonly request: string | undefined;
  /** Name of the schema of a successful answer. */
  readonly answer: string;
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
  readonly segments: readonly string[];
  readonly operations: ReadonlyMap<string, Operation>;
}

type Node = { readonly [member: string]: unknown };

const METHODS = ['get', 'post', 'put', 'delete'] as const;

const TEMPLATES: Readonly<Record<InterfaceName, readonly Template[]>> = {
  v1: templatesOf('v1'),
  api: templatesOf('api'),
};

/** Every operation of a document. */
export function operationsOf(document: InterfaceName): Operation[] {
  return TEMPLATES[document].flatMap(({ operations }) => [...operations.values()]);
}

/**
 * The path that the document has for what stands behind the base; undefined when it has none. Slashes that are missing at
 * the end or doubled are passed over and told.
 *
 * @example matchPath('v1', 'store/delivery_method/m-7/')?.params // { handle: 'm-7' }
 */
export function matchPath(document: InterfaceName, behindBase: string): PathMatch | undefined {
  const parts = behindBase.split('/');
  const segments = parts.filter((part) => part !== '');
  const exact = parts.length === segments.length + 1 && parts.at(-1) === '';
  for (const { text, segments: wanted, operations } of TEMPLATES[document]) {
    if (wanted.length !== segments.length) continue;
    const params = paramsOf(wanted, segments);
    if (params !== undefined) return { template: text, params, exact, operations };
  }
  return undefined;
}

function paramsOf(wanted: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [at, want] of wanted.entries()) {
    const got = segments[at] as string;
    if (want.startsWith('{')) params[want.slice(1, -1)] = decoded(got);
    else if (want !== got) return undefined;
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function templatesOf(document: InterfaceName): Template[] {
  const paths = DOCUMENTS[document].paths as unknown as Node;
  return Object.entries(paths).map(([text, item]) => {
    const operations = new Map<string, Operation>();
    for (const method of METHODS) {
      const operation = (item as Node)[method] as Node | undefined;
      if (operation === undefined) continue;
      operations.set(method.toUpperCase(), {
        document,
        id: String(operation.operationId).replace(/By(?:Query|Form)$/, ''),
        method: method.toUpperCase(),
        template: text,
        request: jsonSchemaOf(document, operation.requestBody),
        answer: jsonSchemaOf(document, (operation.responses as Node)['200']) ?? 'SuccessEnvelope',
      });
    }
    return { text, segments: text.split('/').filter((part) => part !== ''), operations };
  });
}

/** Name of the schema of a request body or an answer, behind the references of the document. */
function jsonSchemaOf(document: InterfaceName, place: unknown): string | undefined {
  const node = resolved(document, place as Node | undefined);
  const media = (node?.content as Node | undefined)?.['application/json'] as Node | undefined;
  const reference = (media?.schema as Node | undefined)?.$ref;
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
}

function resolved(document: InterfaceName, node: Node | undefined): Node | undefined {
  if (typeof node?.$ref !== 'string') return node;
  const steps = node.$ref.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((at, step) => (at as Node)[step], DOCUMENTS[document]) as Node;
}
