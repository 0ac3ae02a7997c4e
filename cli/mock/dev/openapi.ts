/** The contract's documents as one, with the address of the service that runs: `/openapi.json`, for tools and for `/docs`. */
import { DOCUMENTS } from '../../../contracts/generated/documents.generated.ts';

type Json = { readonly [member: string]: unknown };

/** The interfaces by the path that their base ends with, and what the names of their components begin with. */
const INTERFACES = [
  { name: 'v1', base: '/v1', prefix: 'V1' },
  { name: 'api', base: '/api', prefix: 'Api' },
  { name: 'integrator', base: '', prefix: 'Integrator' },
] as const;

/** One OpenAPI document: paths of both bases, webhooks for what integrators are sent, components under names of their own. */
export function openApiOf(origin: string): Json {
  const documents = INTERFACES.map(({ name, base, prefix }) => ({ base, ...renamed(DOCUMENTS[name], prefix) }));
  const paths = documents.flatMap(({ base, document, security }) =>
    Object.entries(membersOf(document.paths)).map(([path, item]) => [
      base + path,
      withSecurity(item as Json, security),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Delivery, Apps and Reseller interfaces of the store platform',
      version: '1',
      description: documents
        .map(({ document }) => membersOf(document.info).description)
        .filter(Boolean)
        .join('\n\n'),
    },
    servers: [{ url: origin }],
    tags: documents.flatMap(({ document }) => (document.tags as Json[] | undefined) ?? []),
    paths: Object.fromEntries(paths),
    webhooks: Object.assign({}, ...documents.map(({ document }) => membersOf(document.webhooks))),
    components: mergedComponents(documents.map(({ document }) => membersOf(document.components))),
  };
}

/** A document whose components, and the references to them, carry a prefix. */
function renamed(document: Json, prefix: string): { readonly document: Json; readonly security: unknown } {
  const reference = /^#\/components\/([^/]+)\/(.+)$/;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const target = name === '$ref' && typeof member === 'string' ? reference.exec(member) : null;
        return [name, target === null ? walk(member) : `#/components/${target[1]}/${prefix}${target[2]}`];
      }),
    );
  };
  const whole = walk(document) as Json;
  const components = Object.fromEntries(
    Object.entries(membersOf(whole.components)).map(([kind, all]) => [kind, prefixed(all, prefix)]),
  );
  const paths = Object.fromEntries(
    Object.entries(membersOf(whole.paths)).map(([path, item]) => [path, securedAs(item as Json, prefix)]),
  );
  return { document: { ...whole, paths, components }, security: requirements(whole.security, prefix) };
}

const membersOf = (value: unknown): Json => (value ?? {}) as Json;
const prefixed = (all: unknown, prefix: string): Json =>
  Object.fromEntries(Object.entries(membersOf(all)).map(([name, one]) => [prefix + name, one]));

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Requirements name security schemes, which have a prefix now. */
const requirements = (security: unknown, prefix: string): unknown =>
  Array.isArray(security) ? security.map((one) => prefixed(one, prefix)) : undefined;

const changedOperations = (item: Json, change: (operation: Json) => Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, member]) => [name, METHODS.includes(name) ? change(member as Json) : member]),
  );

const securedAs = (item: Json, prefix: string): Json =>
  changedOperations(item, (operation) =>
    operation.security === undefined ? operation : { ...operation, security: requirements(operation.security, prefix) },
  );

/** What a document asks of all its operations, each of them says itself. */
const withSecurity = (item: Json, security: unknown): Json =>
  security === undefined ? item : changedOperations(item, (operation) => ({ security, ...operation }));

function mergedComponents(all: readonly Json[]): Json {
  const kinds = new Set(all.flatMap((components) => Object.keys(components)));
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, Object.assign({}, ...all.map((one) => membersOf(one[kind])))]),
  );
}
