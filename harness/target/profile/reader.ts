/**
 * Checks a JSON tree against the profile's shape: unknown keys, wrong types, formats, `${ENV_NAME}`. Collects every
 * problem with its place instead of stopping at the first.
 */

import { isIP } from 'node:net';
import { holdsSecret } from '../../evidence/redaction/credential-names.ts';
import { editDistance } from '../../process/nearest.ts';
import type { JsonNode, JsonObject } from '../response/json-text.ts';
import { Secret } from '../secrets/secret.ts';
import { formatFault } from './formats.ts';
import type { Format, Shape } from './shape.ts';

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

/** How shells, templates and hand-written examples write a variable, which a profile does not read. */
const BARE_REFERENCE =
  /^(?:\$(?:env:)?([A-Z_][A-Z0-9_]*)|\$\(([A-Z_][A-Z0-9_]*)\)|%([A-Z_][A-Z0-9_]*)%|\{\{\s*([A-Z_][A-Z0-9_]*)\s*\}\}|<([A-Z_][A-Z0-9_]*)>)$/;

/** The scheme belongs into the header, which Proofmark writes; no key begins with one. */
const SCHEME = /^(?:authorization:\s*)?(?:apikey|bearer|basic|token)\s/i;

/**
 * What a service issues, so that quotes around it come from how the variable was set: `docker --env-file` keeps them, for instance. A
 * password or a secret may begin and end with any sign.
 */
const KEPT_QUOTES =
  /^delivery\.\w+\.(?:apiKey|otherApiKey|orderUuid|foreignOrderUuid)$|^apps\.(?:apiKey|authCode|otherAuthCode)$|^reseller\.email$/;

/** What travels in a header. */
const IN_HEADER = /\.apiKey$|\.otherApiKey$|^headers\./;

/** Texts that people enter in forms, so that a space at an end may belong to them. */
const AS_ENTERED = /^delivery\.public\.expectedFields\.|^reseller\.password$/;

export function readShape(root: JsonNode, shape: Shape, env: Env): Reading {
  const problems: Problem[] = [];
  const literals: LiteralSecret[] = [];
  const secrets: Secret[] = [];
  const places = new Map<string, number>();

  const problem = (at: number, message: string): undefined => {
    problems.push({ at, message });
    return undefined;
  };

  type Read = { value: Value; shareable: unknown } | undefined;

  const read = (node: JsonNode, shape: Shape, path: string): Read => {
    switch (shape.type) {
      case 'object':
      case 'map':
        if (node.kind !== 'object') return problem(node.at, `${quoted(path)} must be an object, not ${nameOf(node)}.`);
        return readObject(node, shape, path);
      case 'list':
        if (node.kind !== 'array') return problem(node.at, `${quoted(path)} must be a list, not ${nameOf(node)}.`);
        return readList(node.items, shape.items, path);
      case 'string':
        if (node.kind === 'number') {
          return problem(node.at, `${quoted(path)} must be a string, not a number: write "${node.value}".`);
        }
        if (node.kind !== 'string') return problem(node.at, `${quoted(path)} must be a string, not ${nameOf(node)}.`);
        return readString(node.value, node.at, shape, path);
      default:
        return readNumber(node, shape, path);
    }
  };

  const readObject = (node: JsonObject, shape: Shape & { type: 'object' | 'map' }, path: string): Read => {
    const value: Record<string, Value> = {};
    const shareable: Record<string, unknown> = {};
    for (const entry of node.entries) {
      const at = path === '' ? entry.key : `${path}.${entry.key}`;
      places.set(at, entry.value.at);
      const inner = shape.type === 'map' ? shape.values : ownField(shape.fields, entry.key);
      if (inner === undefined) {
        const known = shape.type === 'object' ? Object.keys(shape.fields) : [];
        problem(
          entry.at,
          `${path === '' ? 'The profile' : quoted(path)} has no key ${shownText(entry.key)}${suggestion(entry.key, known)}.`,
        );
        continue;
      }
      const result = read(entry.value, inner, at);
      if (result === undefined) continue;
      Object.defineProperty(value, entry.key, { value: result.value, enumerable: true });
      Object.defineProperty(shareable, entry.key, { value: result.shareable, enumerable: true });
    }
    return { value, shareable };
  };

  const readList = (items: readonly JsonNode[], shape: Shape, path: string): Read => {
    const results = items.map((item, index) => {
      places.set(`${path}[${index}]`, item.at);
      return read(item, shape, `${path}[${index}]`);
    });
    const good = results.filter((result) => result !== undefined);
    return { value: good.map((result) => result.value), shareable: good.map((result) => result.shareable) };
  };

  /** The text with the environment put in, or nothing (and a problem) when a variable is not there. */
  const resolve = (text: string, at: number, path: string): { text: string; names: string[] } | undefined => {
    const names = [...text.matchAll(ENV_REFERENCE)].map((match) => match[1] ?? '');
    const rest = text.replaceAll(ENV_REFERENCE, '');
    if (rest.includes('${')) {
      return problem(
        at,
        `${quoted(path)} contains "\${" without a valid variable name: write \${NAME}, letters, digits and _ only.`,
      );
    }
    const missing = names.filter((name) => (env[name] ?? '') === '');
    if (missing.length > 0) {
      const state = env[missing[0] ?? ''] === undefined ? 'is not set' : 'is empty';
      return problem(
        at,
        `The environment variable ${missing[0]} ${state}: set it (in the environment, or as ${missing[0]}=VALUE in the file of --env-file), or remove ${quoted(path)} from the profile (what needs it is then inconclusive).`,
      );
    }
    return { text: text.replaceAll(ENV_REFERENCE, (_all, name: string) => env[name] ?? ''), names };
  };

  const readString = (template: string, at: number, shape: Shape & { type: 'string' }, path: string): Read => {
    const resolved = resolve(template, at, path);
    if (resolved === undefined) return undefined;
    const { text, names } = resolved;
    const shown = template.replaceAll(ENV_REFERENCE, '$$$1');
    const bare = BARE_REFERENCE.exec(template)
      ?.slice(1)
      .find((name) => name !== undefined);
    if (bare !== undefined)
      return problem(at, `${quoted(path)} names an environment variable in another form: write "\${${bare}}".`);
    if (text.trim() === '') return problem(at, `${quoted(path)} is empty: give it a value or remove it.`);
    if (/[\u0000-\u001f\u007f]/.test(text))
      return problem(at, `${quoted(path)} contains a line break or another control character.`);
    const secret = shape.secret === true || isProxyWithPassword(shape.format, text);
    if (text !== text.trim() && !AS_ENTERED.test(path))
      return problem(at, `${quoted(path)} begins or ends with a space: remove it.`);
    if (/\.apiKey$|\.otherApiKey$/.test(path) && SCHEME.test(text))
      return problem(at, `${quoted(path)} begins with the scheme of the header: write the key alone.`);
    if (IN_HEADER.test(path) && /[^\u0000-\u00ff]/.test(text))
      return problem(at, `${quoted(path)} contains a letter that no header can carry: copy the value again.`);
    if (names.length > 0 && KEPT_QUOTES.test(path) && /^(["'`]).*\1$/.test(text))
      return problem(
        at,
        `${shownText(names[0] ?? '')} begins and ends with a quote: remove both, they were not taken as quotes.`,
      );
    if (names.length > 0 && KEPT_QUOTES.test(path) && /^\$\{\w+\}$/.test(text))
      return problem(
        at,
        `${shownText(names[0] ?? '')} contains the name of another variable: write its value, env files do not insert variables.`,
      );
    if (names.length > 0 && (secret || SECRET_FROM_ENV.test(path))) {
      for (const name of names) secrets.push(new Secret(name, env[name] ?? ''));
    }
    if (secret) {
      const derived = path
        .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
        .replaceAll(/[^A-Za-z0-9]+/g, '_')
        .toUpperCase();
      if (names.length === 0) literals.push({ at, path, suggested: derived });
      const value = new Secret(names[0] ?? derived, text, names.length === 0 ? `$${derived}` : shown);
      secrets.push(value);
      return { value, shareable: String(value) };
    }
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (path.startsWith('delivery.public.expectedFields.') && names.length === 0 && holdsSecret(name)) {
      secrets.push(new Secret(`FIELD_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`, text));
    }
    if (shape.oneOf !== undefined && !shape.oneOf.includes(text)) {
      return problem(at, `${quoted(path)} can't be "${shown}"${suggestion(text, shape.oneOf)}.`);
    }
    const fault = shape.format === undefined ? undefined : formatFault(shape.format, text, shown);
    if (fault !== undefined) problem(at, `${quoted(path)} ${fault}`);
    // Where an address leads decides about the other values, so that a wrong ending is not blamed on them.
    if (fault !== undefined && !(shape.format?.startsWith('base-') === true && URL.canParse(text))) return undefined;
    return { value: text, shareable: shown };
  };

  const readNumber = (node: JsonNode, shape: Shape & { type: 'number' | 'integer' }, path: string): Read => {
    const wanted = shape.type === 'integer' ? 'a whole number' : 'a number';
    let number: number;
    if (node.kind === 'number') {
      number = node.value as number;
    } else if (node.kind === 'string' && /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(node.value)) {
      const resolved = resolve(node.value, node.at, path);
      if (resolved === undefined) return undefined;
      number = /^-?\d+(\.\d+)?$/.test(resolved.text) ? Number(resolved.text) : Number.NaN;
    } else {
      return problem(node.at, `${quoted(path)} must be ${wanted}, not ${nameOf(node)}.`);
    }
    const good = shape.type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
    if (!good || number < shape.least || number > shape.most) {
      return problem(node.at, `${quoted(path)} must be ${wanted} from ${shape.least} to ${shape.most}.`);
    }
    return { value: number, shareable: number };
  };

  const result = read(root, shape, '');
  return { value: result?.value, shareable: result?.shareable, problems, literals, secrets, places };
}

/** Whether this host is the machine itself, as the word is used for plain http and for secrets in the file. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  );
}

function isProxyWithPassword(format: Format | undefined, text: string): boolean {
  return format === 'proxy' && URL.canParse(text) && new URL(text).password !== '';
}

const ownField = (fields: Readonly<Record<string, Shape>>, key: string): Shape | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

const quoted = (path: string): string => (path === '' ? 'The profile' : shownText(path));

/** Keys and values appear in messages as JSON writes them, on one line, and no longer than a line. */
const shownText = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
const SHOWN_CHARACTERS = 120;

function nameOf(node: JsonNode): string {
  const names = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
    array: 'a list',
    object: 'an object',
  };
  return names[node.kind];
}

/** `: did you mean "…"?`, or the list of what there is. */
function suggestion(given: string, known: readonly string[]): string {
  const ranked = known.map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }));
  ranked.sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best !== undefined && best.distance <= Math.max(2, Math.floor(best.name.length / 3)))
    return `; the nearest known one is "${best.name}"`;
  return known.length === 0 ? '' : `; it can be ${known.filter((name) => !name.startsWith('$')).join(', ')}`;
}
