// The table of operations, read from the bundled documents: the client, the mock, the traffic rules and the reports use its names.
import type { JsonObject } from '../../openapi/bundle.ts';

/** Party that answers, and interface, by the tag of an operation. An unknown tag is an error, so that no operation is left out. */
const INTERFACE_OF_TAG: Readonly<Record<string, { readonly party: string; readonly iface: string }>> = {
  Delivery: { party: 'service', iface: 'delivery' },
  Apps: { party: 'service', iface: 'apps' },
  Reseller: { party: 'service', iface: 'reseller' },
  // Pages of integrators that the service opens, and the callback of a label page.
  Label: { party: 'integrator', iface: 'label' },
  Checkout: { party: 'integrator', iface: 'checkout' },
  App: { party: 'integrator', iface: 'app' },
};

/** Operations below a tag of the integrator that the service answers: the callbacks of a label page. */
const ANSWERED_BY_SERVICE: readonly string[] = ['reportLabel', 'reportLabelFailure'];

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** OpenAPI wants an id for each HTTP method: `listWebsitesByQuery` is GET, `listWebsitesByForm` POST, of one operation. */
const METHOD_SUFFIX = /By(?:Query|Form)$/;

interface Row {
  readonly document: string;
  readonly iface: string;
  readonly party: string;
  readonly methods: string[];
  /** Path below the base; null for a webhook, whose address the integrator chooses. */
  readonly template: string | null;
  /** Name of the schema of a JSON request body. */
  readonly request: string | null;
  /** Name of the schema of a successful response. */
  readonly response: string;
}

/** The rows of one document by operation, in its order. Throws when two operations have one name. */
function rowsOf(name: string, document: JsonObject): Map<string, Row> {
  const rows = new Map<string, Row>();
  const places = [
    ...Object.entries((document.paths ?? {}) as JsonObject).map(([path, item]) => [path, item] as const),
    ...Object.values((document.webhooks ?? {}) as JsonObject).map((item) => [null, item] as const),
  ];
  for (const [template, place] of places) {
    const item = resolved(document, place) as JsonObject;
    for (const method of METHODS) {
      const operation = item[method] as JsonObject | undefined;
      if (operation === undefined) continue;
      const id = String(operation.operationId).replace(METHOD_SUFFIX, '');
      const known = rows.get(id);
      if (known === undefined) rows.set(id, rowOf(name, document, id, method, template, operation));
      else if (known.template === template) known.methods.push(method.toUpperCase());
      else
        throw new Error(`openapi/${name}.yaml: ${id} names ${known.template} and ${template}: rename one operation.`);
    }
  }
  return rows;
}

function rowOf(
  name: string,
  document: JsonObject,
  id: string,
  method: string,
  template: string | null,
  operation: JsonObject,
): Row {
  const [tag] = operation.tags as string[];
  const about = INTERFACE_OF_TAG[tag ?? ''];
  if (about === undefined)
    throw new Error(`openapi/${name}.yaml: ${id} has the unknown tag ${tag}: add it to INTERFACE_OF_TAG.`);
  return {
    document: name,
    iface: about.iface,
    party: ANSWERED_BY_SERVICE.includes(id) ? 'service' : about.party,
    methods: [method.toUpperCase()],
    template,
    request: jsonSchemaOf(document, operation.requestBody),
    response: jsonSchemaOf(document, (operation.responses as JsonObject)['200']) ?? 'SuccessEnvelope',
  };
}

/** Name of the schema of a JSON body, behind the references of the document. */
function jsonSchemaOf(document: JsonObject, place: unknown): string | null {
  const content = (resolved(document, place) as JsonObject | undefined)?.content as JsonObject | undefined;
  const schema = (content?.['application/json'] as JsonObject | undefined)?.schema as JsonObject | undefined;
  return typeof schema?.$ref === 'string' ? (schema.$ref.split('/').at(-1) as string) : null;
}

function resolved(document: JsonObject, node: unknown): unknown {
  const reference = (node as JsonObject | undefined)?.$ref;
  if (typeof reference !== 'string') return node;
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>(
    (at, step) => (at as JsonObject)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

/** The text of `contracts/generated/operations.generated.ts`. Throws when two documents give one name. */
export function operationsModule(documents: ReadonlyMap<string, JsonObject>, header: string): string {
  const rows = [...documents].flatMap(([name, document]) => [...rowsOf(name, document)]);
  const twice = rows.find(([id], at) => rows.findIndex(([other]) => other === id) !== at);
  if (twice !== undefined) throw new Error(`openapi/: two documents have an operation ${twice[0]}: rename one.`);
  const lines = rows.map(([id, row]) => `  ${id}: ${JSON.stringify(row)},\n`);
  return `${header}
/** Every operation of the documents by its \`operationId\`: interface, who answers, HTTP methods, path and schemas. */
export const OPERATIONS = {
${lines.join('')}} as const;
`;
}
