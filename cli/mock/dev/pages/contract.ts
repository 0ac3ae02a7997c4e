/** `/docs`: the documents of the contract as one page that needs nothing from elsewhere. */
import { pathOf } from '../../../../contracts/operations/index.ts';
import { type Html, html } from '../../../../mock/pages/html.ts';
import { devPage } from './shell.ts';

type Json = { readonly [member: string]: unknown };

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Every operation below its tag, and what integrators are sent. */
export function contractPage(document: Json): Response {
  const origin = text(listOf(document.servers)[0]?.url);
  const operations = [...operationsIn(document.paths, origin), ...operationsIn(document.webhooks, undefined)];
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const about = new Map(listOf(document.tags).map(({ name, description }) => [text(name), text(description)]));
  const sections = tags.map(
    (tag) =>
      html`<h2>${tag}</h2><p class="soft">${about.get(tag) ?? ''}</p><div class="ops log">${operations.filter((one) => one.tag === tag).map((one) => operationCard(one, document))}</div>`,
  );
  return devPage(
    'Interfaces',
    '/docs',
    html`<p>${text(objectOf(document.info).title)}. For tools: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>${sections}`,
  );
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  /** Undefined for what integrators are sent. */
  readonly origin: string | undefined;
  readonly parameters: readonly Json[];
  readonly own: Json;
}

function operationsIn(paths: unknown, origin: string | undefined): Operation[] {
  return Object.entries(objectOf(paths)).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const own = objectOf(item)[method];
      if (own === undefined) return [];
      const { tags, parameters } = objectOf(own);
      const tag =
        text(Array.isArray(tags) ? tags[0] : undefined) || (origin === undefined ? 'Sent to integrators' : 'Other');
      const shared = listOf(objectOf(item).parameters);
      return [{ method, path, tag, origin, parameters: [...shared, ...listOf(parameters)], own: objectOf(own) }];
    }),
  );
}

function operationCard(operation: Operation, document: Json): Html {
  const { method, path, own, origin } = operation;
  const parameters = operation.parameters.map((one) => resolved(one, document));
  const body = resolved(objectOf(own.requestBody), document);
  const contents = Object.entries(objectOf(body.content));
  const responses = Object.entries(objectOf(own.responses));
  const curl = origin === undefined ? undefined : curlOf(operation, origin, contents);
  return html`<details><summary><span class="method">${method.toUpperCase()}</span><code>${path}</code><span>${text(own.summary)}</span></summary>
<p>${text(own.description)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3><div class="scroll"><table><tbody>${parameters.map((one) => html`<tr><th scope="row"><code>${text(one.name)}</code>${one.required === true && ' *'}</th><td>${text(one.in)}</td><td>${text(one.description)}</td></tr>`)}</tbody></table></div>`}
${contents.map(([type, content]) => html`<h3>Body <span class="soft">${type}</span></h3><pre tabindex="0">${shown(objectOf(content).schema, document)}</pre>`)}
<h3>Responses</h3>${responses.map(([status, response]) => responseOf(status, resolved(objectOf(response), document), document))}
${curl !== undefined && html`<h3>With curl</h3><pre tabindex="0">${curl}</pre>`}</details>`;
}

function responseOf(status: string, response: Json, document: Json): Html {
  const [content] = Object.values(objectOf(response.content));
  return html`<p><strong>${status}</strong> ${text(response.description)}</p>${content !== undefined && html`<pre tabindex="0">${shown(objectOf(content).schema, document)}</pre>`}`;
}

function curlOf(
  { method, path }: Operation,
  origin: string,
  contents: readonly (readonly [string, unknown])[],
): string {
  const isReseller = path.startsWith('/api/');
  const code = path.startsWith('/v1/apps/') ? '?authCode=$AUTH_CODE' : '';
  const token = isReseller && path !== `/api/${pathOf('authorize', {})}` ? ' -d apiToken="$API_TOKEN"' : '';
  const key = isReseller ? token : ' -H "Authorization: ApiKey $API_KEY"';
  const isJson = contents.some(([type]) => type === 'application/json');
  const body = isJson ? ` --json '{…}'` : '';
  return `curl -X ${method.toUpperCase()} "${origin}${path}${code}"${key}${body}`;
}

/** What a reference leads to; the value itself if it is not a reference. */
function resolved(value: Json, document: Json): Json {
  const reference = value.$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  let found: unknown = document;
  for (const part of reference.slice(2).split('/')) found = objectOf(found)[part];
  return objectOf(found);
}

/** Deeper than this a schema is named, and not spelled out. */
const MAX_DEPTH = 4;

/** A schema as JSON, with what it refers to in place. */
function shown(schema: unknown, document: Json): string {
  const spelled = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => spelled(one, depth));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as Json;
    if (typeof $ref === 'string')
      return depth >= MAX_DEPTH ? $ref.split('/').at(-1) : spelled(resolved(value as Json, document), depth + 1);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spelled(member, depth)]));
  };
  return JSON.stringify(spelled(schema ?? {}, 0), null, 2);
}
