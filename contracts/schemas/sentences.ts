// Turns what ajv reports into sentences: one fault for each place, without the echoes of branches that were not meant.
import type { ErrorObject } from 'ajv/dist/2020.js';

/** One deviation of a value from its schema. */
export interface SchemaFault {
  /** JSON pointer to the place in the value; `""` is the whole value. */
  readonly pointer: string;
  /** What is wrong there, without the pointer and without the value itself, which may be a secret. */
  readonly message: string;
  /** The schema keyword that was broken, for instance `required`. */
  readonly keyword: string;
}

type Schema = { readonly [member: string]: unknown };

const CHOICES = new Set(['anyOf', 'oneOf']);
/** Keywords that say more than a list of alternatives: the kind of the value was right, and only this was not. */
const TELLING = new Set(['propertyNames', 'minProperties']);
const KIND_NAMES: { readonly [kind: string]: string } = {
  null: 'null',
  array: 'an array',
  object: 'an object',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return KIND_NAMES[typeof value] ?? typeof value;
}

function orList(items: readonly string[]): string {
  const different = [...new Set(items)];
  return different.length < 2 ? different.join('') : `${different.slice(0, -1).join(', ')} or ${different.at(-1)}`;
}

/** What a schema asks for, in a few words: its title, else its type, else its constants. */
function phrase(schema: Schema, resolve: (reference: string) => Schema): string {
  if (typeof schema.title === 'string') return schema.title;
  if (typeof schema.$ref === 'string') return phrase(resolve(schema.$ref), resolve);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return orList(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.type !== undefined) {
    return orList([schema.type].flat().map((type) => KIND_NAMES[String(type)] ?? String(type)));
  }
  return 'something else';
}

function choiceSentence(error: ErrorObject, resolve: (reference: string) => Schema): string {
  const branches = orList((error.schema as Schema[]).map((branch) => phrase(branch, resolve)));
  return error.params.passingSchemas
    ? `matches more than one of these, but exactly one is allowed: ${branches}`
    : `must be ${branches}, and is ${kindOf(error.data) === 'a string' ? textKind(error.data) : kindOf(error.data)}`;
}

const textKind = (text: unknown): string => (text === '' ? 'an empty text' : 'another text');

function formSentence(error: ErrorObject): string {
  const { title, pattern } = error.parentSchema as { title?: string; pattern?: string };
  return `must be ${title ?? `a text that matches ${pattern}`}`;
}

function valueSentence(allowed: readonly unknown[], received: unknown): string {
  const wanted = `must be ${orList(allowed.map((value) => JSON.stringify(value)))}`;
  const sameKind = allowed.some((value) => kindOf(value) === kindOf(received));
  return sameKind ? wanted : `${wanted}, and is ${kindOf(received)}`;
}

const SENTENCES: { readonly [keyword: string]: (error: ErrorObject) => string } = {
  required: (error) => `lacks the member ${JSON.stringify(error.params.missingProperty)}`,
  type: (error) => {
    const wanted = orList([error.params.type].flat().map((type) => KIND_NAMES[type] ?? type));
    return `must be ${wanted}, and is ${kindOf(error.data)}`;
  },
  const: (error) => valueSentence([error.params.allowedValue], error.data),
  enum: (error) => valueSentence(error.params.allowedValues, error.data),
  pattern: formSentence,
  format: (error) =>
    error.params.format === 'json-text' ? 'must be JSON text' : `must have the format ${error.params.format}`,
  minLength: (error) => `must have ${error.params.limit} or more characters`,
  minItems: (error) => `must have ${error.params.limit} or more items`,
  maxItems: (error) =>
    `must have at most ${error.params.limit} items, and has ${(error.data as readonly unknown[]).length}`,
  minProperties: (error) => `must have ${error.params.limit} or more members`,
  propertyNames: (error) => `has a member whose name is not allowed: ${JSON.stringify(error.params.propertyName)}`,
};

/** Every pointer that lies strictly above another error, so that "is there something deeper?" costs one look-up. */
function ancestorsOf(errors: readonly ErrorObject[]): Set<string> {
  const ancestors = new Set<string>();
  for (const { instancePath } of errors) {
    for (let end = instancePath.lastIndexOf('/'); end >= 0; end = instancePath.lastIndexOf('/', end - 1)) {
      const ancestor = instancePath.slice(0, end);
      if (ancestors.has(ancestor)) break;
      ancestors.add(ancestor);
      if (end === 0) break;
    }
  }
  return ancestors;
}

/**
 * The faults behind a list of ajv errors (made with `allErrors` and `verbose`). Where alternatives failed, the fault
 * inside the one that was meant is reported if there is one, else one sentence names all alternatives.
 * `resolve` returns the schema behind a `$ref`.
 */
export function faultsOf(errors: readonly ErrorObject[], resolve: (reference: string) => Schema): SchemaFault[] {
  const reported = errors.filter((error) => error.keyword !== 'if' && error.propertyName === undefined);
  const deeper = ancestorsOf(reported);
  const choiceAt = new Map<string, ErrorObject>();
  // The outermost choice of a place is reported last.
  for (const error of reported) if (CHOICES.has(error.keyword)) choiceAt.set(error.instancePath, error);
  const toldAt = new Set(
    reported.filter(({ keyword }) => TELLING.has(keyword)).map(({ instancePath }) => instancePath),
  );

  const faults = new Map<string, SchemaFault>();
  for (const error of reported) {
    const pointer = error.instancePath;
    const choice = choiceAt.get(pointer);
    if (choice !== undefined && !TELLING.has(error.keyword)) {
      if (error !== choice || deeper.has(pointer) || toldAt.has(pointer)) continue;
    }
    const message =
      error === choice
        ? choiceSentence(error, resolve)
        : (SENTENCES[error.keyword]?.(error) ?? error.message ?? `breaks the rule ${error.keyword}`);
    faults.set(`${pointer}\n${message}`, { pointer, message, keyword: error.keyword });
  }
  return [...faults.values()];
}
