// The documents themselves: valid, linked, every example true to its schema, every description traceable to the spec.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { bundleDocument, DOCUMENT_NAMES, type JsonObject } from './bundle.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const SPEC = new URL('../../shared/spec/interfaces.md', import.meta.url);

const bundles = new Map<string, JsonObject>();
before(async () => {
  for (const name of DOCUMENT_NAMES) bundles.set(name, await bundleDocument(name));
});

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls `visit` with every object of a document and its JSON pointer; examples are not part of the document. */
function walk(value: unknown, visit: (node: JsonObject, pointer: string) => void, pointer = ''): void {
  if (Array.isArray(value)) value.forEach((item, index) => void walk(item, visit, `${pointer}/${index}`));
  if (!isObject(value)) return;
  visit(value, pointer);
  for (const [key, member] of Object.entries(value)) {
    if (key === 'example' || key === 'examples') continue;
    walk(member, visit, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

interface Example {
  /** Pointer to the schema inside the document. */
  schema: string;
  where: string;
  value: unknown;
}

/** Examples of schemas (`examples: []`) and of media types and parameters (`example`, `examples: {name: {value}}`). */
function examplesOf(document: JsonObject): Example[] {
  const found: Example[] = [];
  walk(document, (node, pointer) => {
    if (Array.isArray(node.examples)) {
      node.examples.forEach((value, index) => {
        found.push({ schema: pointer, where: `${pointer}/examples/${index}`, value });
      });
    }
    if (!isObject(node.schema)) return;
    const schema = `${pointer}/schema`;
    if ('example' in node) found.push({ schema, where: `${pointer}/example`, value: node.example });
    if (isObject(node.examples)) {
      for (const [name, example] of Object.entries(node.examples)) {
        found.push({ schema, where: `${pointer}/examples/${name}`, value: (example as JsonObject).value });
      }
    }
  });
  return found;
}

interface Operation {
  where: string;
  operation: JsonObject;
}

function operationsOf(document: JsonObject): Operation[] {
  const found: Operation[] = [];
  for (const group of ['paths', 'webhooks']) {
    for (const [path, item] of Object.entries((document[group] ?? {}) as { [path: string]: JsonObject })) {
      for (const method of METHODS) {
        const operation = item[method];
        if (isObject(operation)) found.push({ where: `${method.toUpperCase()} ${path}`, operation });
      }
    }
  }
  return found;
}

/** The object behind a `$ref` into the document, or the object itself. */
function resolved(document: JsonObject, node: JsonObject): JsonObject {
  if (typeof node.$ref !== 'string') return node;
  const names = node.$ref.slice('#/'.length).split('/');
  return names.reduce((part, name) => part[name] as JsonObject, document);
}

function schemasOf(document: JsonObject): [string, JsonObject][] {
  return Object.entries((document.components as JsonObject).schemas as { [name: string]: JsonObject });
}

function ajvWith(document: JsonObject): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addFormat('json-text', (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  });
  return ajv.addSchema(document, 'document');
}

for (const name of DOCUMENT_NAMES) {
  describe(`openapi/${name}.yaml`, () => {
    const document = () => bundles.get(name)!;

    it('is valid OpenAPI 3.1', async () => {
      const result = await SwaggerParser.validate(structuredClone(document()) as never);
      assert.match((result as unknown as { openapi: string }).openapi, /^3\.1\./);
    });

    it('refers only to its own components once bundled', () => {
      walk(document(), (node, pointer) => {
        if (typeof node.$ref === 'string') assert.match(node.$ref, /^#\/components\//, pointer);
      });
    });

    it('has schemas that are valid JSON Schema', () => {
      const ajv = new Ajv2020({ strict: false });
      for (const [schemaName, schema] of schemasOf(document())) {
        assert.ok(ajv.validateSchema(schema), `${schemaName}: ${ajv.errorsText()}`);
      }
    });

    it('has only examples that are valid against their schemas', () => {
      const ajv = ajvWith(document());
      const examples = examplesOf(document());
      for (const { schema, where, value } of examples) {
        const valid = ajv.validate({ $ref: `document#${encodeURI(schema)}` }, value);
        assert.ok(valid, `${where} does not fit its schema: ${ajv.errorsText()}`);
      }
      assert.ok(examples.length > schemasOf(document()).length, `only ${examples.length} examples found`);
    });

    it('describes every operation and names its section', () => {
      const operations = operationsOf(document());
      assert.ok(operations.length > 0);
      for (const { where, operation } of operations) {
        assert.match(String(operation.description), /\S.* Section: \S/, where);
        assert.match(String(operation.operationId), /^[a-z][A-Za-z]+$/, where);
      }
    });

    it('describes every schema with its section and an example, and every property', () => {
      for (const [schemaName, schema] of schemasOf(document())) {
        assert.match(String(schema.description), /Section: \S/, schemaName);
        assert.ok(Array.isArray(schema.examples) && schema.examples.length > 0, `${schemaName} has no examples`);
        for (const [property, described] of Object.entries(
          (schema.properties ?? {}) as { [name: string]: JsonObject },
        )) {
          assert.ok(described.description ?? described.$ref, `${schemaName}.${property} has no description`);
        }
      }
    });

    it('gives no operation id twice', () => {
      const ids = operationsOf(document()).map(({ operation }) => operation.operationId);
      assert.equal(new Set(ids).size, ids.length);
    });

    it('declares exactly the parameters that its paths name', () => {
      for (const [path, item] of Object.entries((document().paths ?? {}) as { [path: string]: JsonObject })) {
        for (const method of METHODS.filter((candidate) => candidate in item)) {
          const declared = [item.parameters, (item[method] as JsonObject).parameters]
            .flatMap((list) => (list ?? []) as JsonObject[])
            .map((parameter) => resolved(document(), parameter))
            .filter((parameter) => parameter.in === 'path')
            .map((parameter) => parameter.name);
          const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
          assert.deepEqual(declared, named, `${method} ${path}`);
        }
      }
    });
  });
}

/** The operations of the spec's tables, written down a second time so that a forgotten one is noticed. */
const OPERATIONS = {
  v1: [
    'GET /store/delivery_methods/',
    'GET /store/delivery_method/{}/',
    'POST /store/delivery_method/',
    'PUT /store/delivery_method/{}/',
    'DELETE /store/delivery_method/{}/',
    'GET /store/delivery_method/{}/pickup_points/',
    'GET /store/delivery_method/{}/pickup_point/{}/',
    'POST /store/delivery_method/{}/pickup_point/',
    'PUT /store/delivery_method/{}/pickup_point/{}/',
    'DELETE /store/delivery_method/{}/pickup_point/{}/',
    'POST /store/delivery_method/{}/pickup_points/batch_replace/',
    'POST /store/delivery_provider_settings/',
    'POST /apps/installed/',
    'POST /apps/delete/',
    'POST /apps/set_snippet/',
    'GET /apps/get_snippet/',
    'GET /apps/get_snippet/{}/',
    'POST /apps/set_data/',
    'GET /apps/get_data/',
    'GET /apps/user/',
    'GET /apps/website/',
    'GET /apps/languages/',
  ],
  api: [
    '/authorize/',
    '/authorize/logout/',
    '/websites/',
    '/website/{}/enable/',
    '/website/{}/disable/',
    '/website/{}/enable_premium/{}/',
    '/website/{}/disable_premium/',
    '/website/{}/login/',
    '/website/{}/domains/',
    '/website/{}/domain/add/',
    '/website/{}/domain/{}/remove/',
    '/settings/',
    '/settings/set/',
    '/balance/',
    '/password/',
  ].flatMap((path) => [`GET ${path}`, `POST ${path}`]),
  integrator: [
    'POST labelRequest',
    'GET labelCallbackSuccess',
    'GET labelCallbackError',
    'POST checkout',
    'GET install',
    'GET settings',
  ],
};

it('the documents hold exactly the operations of the spec', () => {
  for (const name of DOCUMENT_NAMES) {
    const actual = operationsOf(bundles.get(name)!).map(({ where }) => where.replaceAll(/\{\w+\}/g, '{}'));
    assert.deepEqual(actual.sort(), [...OPERATIONS[name]].sort());
  }
});

it('every section that a description names is a heading of the spec', {
  skip: !existsSync(SPEC) && 'the spec is not at ../shared/spec/interfaces.md beside the project',
}, () => {
  const headings = new Set(
    [...readFileSync(SPEC, 'utf8').matchAll(/^#{2,3} (.+?)(?: \([^)]*\))?$/gm)].map(([, heading]) => heading!),
  );
  for (const [name, document] of bundles) {
    walk(document, (node, pointer) => {
      if (typeof node.description !== 'string' || !node.description.includes('Section: ')) return;
      const named = node.description
        .slice(node.description.indexOf('Section: ') + 'Section: '.length)
        .replace(/\.$/, '');
      for (const section of named.split('; ')) {
        const known = [...headings].some((heading) => section === heading || section.startsWith(`${heading}, `));
        const partOfPrevious = headings.has(section);
        assert.ok(known || partOfPrevious, `${name}${pointer} names the unknown section "${section}"`);
      }
    });
  }
});
