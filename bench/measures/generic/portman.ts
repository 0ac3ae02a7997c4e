/** Portman: a Postman collection with contract tests made of the document, run by Newman; the values are those of our calls. */
import { OPERATIONS } from '../../../contracts/operations/index.ts';
import { CALLS, type Call } from './calls.ts';

type Json = Readonly<Record<string, unknown>>;

/** `inputs` are the values of the names in braces; what a call returns becomes a variable of the collection. */
export function portmanOf(document: 'v1' | 'api', inputs: Readonly<Record<string, string>>): Json {
  const calls = Object.values(CALLS)
    .flat()
    .filter((call) => OPERATIONS[call.operation].document === document && call.isRefused !== true);
  // A collection has each operation once.
  const first = [...new Map(calls.toReversed().map((call) => [call.operation, call])).values()].toReversed();
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (all, name: string) => inputs[name] ?? `{${all}}`);
  const everywhere = { openApiOperation: '*::/*' };
  return {
    version: 1,
    tests: {
      contractTests: ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation'].map((test) => ({
        ...everywhere,
        [test]: { enabled: true },
      })),
    },
    assignVariables: first.flatMap((call) =>
      Object.entries(call.returns ?? {}).map(([name, place]) => ({
        openApiOperation: operationOf(call),
        collectionVariables: [{ responseBodyProp: propertyOf(place), name }],
      })),
    ),
    overwrites: first.map((call) => overwriteOf(call, filled)),
    globals: {
      orderOfOperations: first.map(operationOf),
      securityOverwrites: { apiKey: { key: 'apiToken', value: '{{apiToken}}', in: 'query' } },
    },
  };
}

const methodOf = ({ operation, form }: Call): string =>
  form === undefined ? OPERATIONS[operation].methods[0] : 'POST';
const operationOf = (call: Call): string => `${methodOf(call)}::${OPERATIONS[call.operation].template}`;
/** `/delivery_methods/0/handle` as `delivery_methods[0].handle`. */
const propertyOf = (place: string): string =>
  place
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');

function overwriteOf(call: Call, filled: (text: string) => string): Json {
  const pairs = (values: Readonly<Record<string, string>> = {}): Json[] =>
    Object.entries(values).map(([key, value]) => ({ key, value: filled(value), overwrite: true, insert: true }));
  return {
    openApiOperation: operationOf(call),
    overwriteRequestPathVariables: pairs(call.path),
    overwriteRequestQueryParams: pairs(call.query),
    overwriteRequestHeaders: call.key === undefined ? [] : pairs({ Authorization: call.key }),
    ...(call.key === undefined ? {} : { overwriteRequestSecurity: { remove: true } }),
    ...(call.json === undefined
      ? {}
      : {
          overwriteRequestBody: Object.entries(call.json).map(([key, value]) => ({
            key,
            value: JSON.parse(filled(JSON.stringify(value))),
            overwrite: true,
          })),
        }),
    ...(call.form === undefined ? {} : { overwriteRequestBody: pairs(call.form) }),
  };
}
