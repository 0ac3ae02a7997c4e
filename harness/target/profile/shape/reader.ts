/**
 * Checks a JSON tree against the profile's shape: unknown keys, wrong types, formats, `${ENV_NAME}`. Collects every
 * problem with its place instead of stopping at the first.
 */

import { storableId } from '../../../../contracts/json/record-ids.ts';
import { holdsSecret } from '../../../evidence/redaction/credential-names.ts';
import type { JsonNode, JsonObject } from '../../response/json-text.ts';
import { Secret } from '../../secrets/secret.ts';
import { isProxyWithCredentials, secretsInAddress } from '../address-secrets.ts';
import { formatFault } from './formats.ts';
import type { Shape } from './index.ts';
import { textFault } from './text-rules.ts';
import { nameOf, quoted, shownText, suggestion } from './words.ts';

/** A problem at an offset of the text; the message is a sentence. */
export interface Problem {
  readonly at: number;
  readonly message: string;
}

/** A secret written into the file as it is; legal only where nothing but loopback is addressed. */
export interface LiteralSecret {
  readonly at: number;
  readonly path: string;
  readonly suggested: string;
}

export type Value = string | number | Secret | readonly Value[] | { readonly [key: string]: Value };

export interface Reading {
  /** The values with `${ENV_NAME}` resolved; secret fields are `Secret`s. */
  readonly value: Value | undefined;
  /** The same as it may be shown: `$NAME` for what came from the environment and for secrets. */
  readonly shareable: unknown;
  readonly problems: readonly Problem[];
  readonly literals: readonly LiteralSecret[];
  /** Values of the environment in fields which carry credentials. */
  readonly secrets: readonly Secret[];
  /** Offsets of keys and items by their path (`limits.timeoutMs`, `allow[1]`). */
  readonly places: ReadonlyMap<string, number>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Fields that are not secret by themselves, but may hold one when their text comes from the environment. */
const SECRET_FROM_ENV = /^delivery\.public\.expectedFields\.|^proxy$/;

const ENV_REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A value with the form in which it may be shown; undefined after a problem. */
type Read = { readonly value: Value; readonly shareable: unknown } | undefined;

/** Reads a value by its shape, with all problems at once; secrets come from the environment. */
export function readShape(root: JsonNode, shape: Shape, env: Env): Reading {
  const reader = new ShapeReader(env);
  const result = reader.read(root, shape, '');
  const { problems, literals, secrets, places } = reader;
  return { value: result?.value, shareable: result?.shareable, problems, literals, secrets, places };
}

class ShapeReader {
  readonly problems: Problem[] = [];
  readonly literals: LiteralSecret[] = [];
  readonly secrets: Secret[] = [];
  readonly places = new Map<string, number>();
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  read(node: JsonNode, shape: Shape, path: string): Read {
    switch (shape.type) {
      case 'object':
      case 'map':
        if (node.kind === 'object') return this.#object(node, shape, path);
        return this.#problem(node.at, `${quoted(path)} must be an object, not ${nameOf(node)}.`);
      case 'list':
        if (node.kind === 'array') return this.#list(node.items, shape.items, path);
        return this.#problem(node.at, `${quoted(path)} must be a list, not ${nameOf(node)}.`);
      case 'string':
        if (node.kind === 'string') return this.#string(node.value, node.at, shape, path);
        return this.#problem(
          node.at,
          node.kind === 'number'
            ? `${quoted(path)} must be a string, not a number: write "${node.value}".`
            : `${quoted(path)} must be a string, not ${nameOf(node)}.`,
        );
      case 'id':
        return this.#id(node, path);
      default:
        return this.#number(node, shape, path);
    }
  }

  #problem(at: number, message: string): undefined {
    this.problems.push({ at, message });
    return undefined;
  }

  #object(node: JsonObject, shape: Shape & { type: 'object' | 'map' }, path: string): Read {
    const value: Record<string, Value> = {};
    const shareable: Record<string, unknown> = {};
    for (const entry of node.entries) {
      const at = path === '' ? entry.key : `${path}.${entry.key}`;
      this.places.set(at, entry.value.at);
      const inner = shape.type === 'map' ? shape.values : ownField(shape.fields, entry.key);
      if (inner === undefined) {
        const known = shape.type === 'object' ? Object.keys(shape.fields) : [];
        this.#problem(entry.at, `${quoted(path)} has no key ${shownText(entry.key)}${suggestion(entry.key, known)}.`);
        continue;
      }
      const result = this.read(entry.value, inner, at);
      if (result === undefined) continue;
      Object.defineProperty(value, entry.key, { value: result.value, enumerable: true });
      Object.defineProperty(shareable, entry.key, { value: result.shareable, enumerable: true });
    }
    return { value, shareable };
  }

  #list(items: readonly JsonNode[], shape: Shape, path: string): Read {
    const results = items.map((item, index) => {
      this.places.set(`${path}[${index}]`, item.at);
      return this.read(item, shape, `${path}[${index}]`);
    });
    const good = results.filter((result) => result !== undefined);
    return { value: good.map((result) => result.value), shareable: good.map((result) => result.shareable) };
  }

  /** The text with the values of its variables; undefined, and a problem, if one is missing. */
  #resolve(text: string, at: number, path: string): { text: string; names: string[] } | undefined {
    const names = [...text.matchAll(ENV_REFERENCE)].map((match) => match[1] ?? '');
    const rest = text.replaceAll(ENV_REFERENCE, '');
    if (rest.includes('${')) {
      return this.#problem(
        at,
        `${quoted(path)} contains "\${" without a valid variable name: write \${NAME}, letters, digits and _ only.`,
      );
    }
    const missing = names.find((name) => (this.#env[name] ?? '') === '');
    if (missing !== undefined) {
      const state = this.#env[missing] === undefined ? 'is not set' : 'is empty';
      return this.#problem(
        at,
        `The environment variable ${missing} ${state}: set it (in the environment, or as ${missing}=VALUE in the file of --env-file), or remove ${quoted(path)} from the profile (what needs it is then inconclusive).`,
      );
    }
    return { text: text.replaceAll(ENV_REFERENCE, (_all, name: string) => this.#env[name] ?? ''), names };
  }

  #string(template: string, at: number, shape: Shape & { type: 'string' }, path: string): Read {
    const resolved = this.#resolve(template, at, path);
    if (resolved === undefined) return undefined;
    const { text, names } = resolved;
    const mistake = textFault({ path, template, text, names });
    if (mistake !== undefined) return this.#problem(at, mistake);
    const isSecret = shape.secret === true || isProxyWithCredentials(shape.format, text);
    if (isSecret || SECRET_FROM_ENV.test(path))
      for (const name of names) this.secrets.push(new Secret(name, this.#env[name] ?? ''));
    for (const [name, value] of secretsInAddress(template, shape.format, this.#env))
      this.secrets.push(new Secret(name, value));
    const shown = template.replaceAll(ENV_REFERENCE, '$$$1');
    if (isSecret) return this.#secret({ text, names, shown }, at, path);
    this.#noteSecretField(text, names, path);
    if (shape.oneOf !== undefined && !shape.oneOf.includes(text))
      return this.#problem(at, `${quoted(path)} can't be "${shown}"${suggestion(text, shape.oneOf)}.`);
    const fault = shape.format === undefined ? undefined : formatFault(shape.format, text, shown);
    if (fault !== undefined) this.#problem(at, `${quoted(path)} ${fault}`);
    // The other values are judged by where an address leads, so one with a wrong ending is still read.
    const isUsable = fault === undefined || (shape.format?.startsWith('base-') === true && URL.canParse(text));
    return isUsable ? { value: text, shareable: shown } : undefined;
  }

  #secret({ text, names, shown }: ResolvedText, at: number, path: string): Read {
    const suggested = path
      .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .toUpperCase();
    const [name] = names;
    if (name === undefined) this.literals.push({ at, path, suggested });
    const value = new Secret(name ?? suggested, text, name === undefined ? `$${suggested}` : shown);
    this.secrets.push(value);
    return { value, shareable: String(value) };
  }

  /** Notes a custom field value whose name says that it is secret, although it is written in the profile. */
  #noteSecretField(text: string, names: readonly string[], path: string): void {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (path.startsWith('delivery.public.expectedFields.') && names.length === 0 && holdsSecret(name))
      this.secrets.push(new Secret(`FIELD_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`, text));
  }

  #number(node: JsonNode, shape: Shape & { type: 'number' | 'integer' }, path: string): Read {
    const wanted = shape.type === 'integer' ? 'a whole number' : 'a number';
    let number: number;
    if (node.kind === 'number') {
      number = node.value as number;
    } else if (node.kind === 'string' && /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(node.value)) {
      const resolved = this.#resolve(node.value, node.at, path);
      if (resolved === undefined) return undefined;
      number = /^-?\d+(\.\d+)?$/.test(resolved.text) ? Number(resolved.text) : Number.NaN;
    } else {
      const isQuoted = node.kind === 'string' && /^-?\d+(\.\d+)?$/.test(node.value);
      const instead = isQuoted ? `: write ${node.value} without quotes` : '';
      return this.#problem(node.at, `${quoted(path)} must be ${wanted}, not ${nameOf(node)}${instead}.`);
    }
    const isValid = shape.type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
    if (!isValid || number < shape.least || number > shape.most)
      return this.#problem(node.at, `${quoted(path)} must be ${wanted} from ${shape.least} to ${shape.most}.`);
    return { value: number, shareable: number };
  }

  /** The digits of an id, which may have more of them than a number of JavaScript can hold; a module writes such a one as a string. */
  #id(node: JsonNode, path: string): Read {
    if (node.kind !== 'number' && node.kind !== 'string')
      return this.#problem(node.at, `${quoted(path)} must be a whole number, not ${nameOf(node)}.`);
    const text = node.kind === 'number' ? node.text : this.#resolve(node.value, node.at, path)?.text;
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,39}$/.test(text)) return this.#problem(node.at, `${quoted(path)} must be a whole number from 1.`);
    return { value: text, shareable: storableId(text) };
  }
}

/** A text with the values of its variables, and as it may be shown. */
interface ResolvedText {
  readonly text: string;
  readonly names: readonly string[];
  readonly shown: string;
}

const ownField = (fields: Readonly<Record<string, Shape>>, key: string): Shape | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;
