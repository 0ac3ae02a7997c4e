import { inspect } from 'node:util';

/**
 * A value that must not be printed: an API key, a password, a token. Wherever it is turned into text by accident
 * (template string, `console.log`, `JSON.stringify`, an error message) it reads `$NAME`; only `reveal()` gives the value.
 */
export class Secret {
  readonly name: string;
  readonly #value: string;
  readonly #printed: string;

  /** `name`: the environment variable it came from, or a name in its style. `printed`: how it reads; `$NAME` by default. */
  constructor(name: string, value: string, printed = `$${name}`) {
    this.name = name;
    this.#value = value;
    this.#printed = printed;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return this.#printed;
  }

  toJSON(): string {
    return this.#printed;
  }

  [Symbol.toPrimitive](): string {
    return this.#printed;
  }

  [inspect.custom](): string {
    return this.#printed;
  }
}

/** The text to send: a secret's value, or the string as it is. */
export function plain(value: string | Secret): string {
  return value instanceof Secret ? value.reveal() : value;
}

/**
 * Text around secrets, still a secret: sealed`ApiKey ${key}` sends `ApiKey s3cr3t` and prints `ApiKey $STORE_KEY`.
 * It takes the name of the first secret in it.
 */
export function sealed(texts: TemplateStringsArray, ...parts: ReadonlyArray<string | Secret>): Secret {
  let value = texts[0] ?? '';
  let printed = value;
  for (const [index, part] of parts.entries()) {
    const after = texts[index + 1] ?? '';
    value += plain(part) + after;
    printed += String(part) + after;
  }
  const first = parts.find((part) => part instanceof Secret);
  return new Secret(first?.name ?? 'SECRET', value, printed);
}
