/** Secrets that a browser's recording holds: found while it is read, taken out of everything that is written. */
import type { BodyText, Exchange } from '../../contracts/run/events.ts';
import { isCredentialField } from '../../harness/evidence/redaction/credential-names.ts';
import type { Redaction } from '../../harness/evidence/redaction/index.ts';
import { learnSecrets } from '../../harness/target/secrets/received-secrets.ts';

/** Shorter values are languages and choices, and would blacken ordinary words. */
const MIN_CHARACTERS = 8;
/** Values that are remembered; a recording of a whole day has some hundreds. */
const MAX_SECRETS = 20_000;
/** Bodies in which tokens are looked for; the rest is pictures. */
const TEXT_TYPES = /json|form|text|javascript|xml/i;

export interface SecretFinder {
  look(exchange: Exchange): void;
  /** How many values were too many to remember. */
  readonly forgotten: number;
}

/** Finds credentials in headers, addresses and bodies, and makes them known to the redaction. */
export function secretFinder(redaction: Redaction): SecretFinder {
  const known = new Set<string>();
  const state = { forgotten: 0 };

  const add = (name: string, value: string): void => {
    const trimmed = value.trim();
    if (trimmed.length < MIN_CHARACTERS || known.has(trimmed)) return;
    if (known.size >= MAX_SECRETS) {
      state.forgotten += 1;
      return;
    }
    known.add(trimmed);
    redaction.add({ name, value: trimmed });
  };
  /** The redaction, as those who learn from whole messages see it. */
  const bounded: Redaction = { ...redaction, add: ({ name, value }) => add(name, value) };

  return {
    look(exchange) {
      const { request, response } = exchange;
      for (const [name, value] of [...request.headers, ...(response?.headers ?? [])]) learnHeader(name, value, add);
      learnSecrets(
        {
          at: 0,
          durationMs: 0,
          request: {
            method: request.method,
            url: request.url,
            headers: request.headers,
            ...bodyOf(request.headers, request.body),
          },
          ...(response === undefined
            ? {}
            : {
                response: {
                  status: response.status,
                  headers: response.headers,
                  ...bodyOf(response.headers, response.body),
                },
              }),
        },
        bounded,
      );
    },
    get forgotten() {
      return state.forgotten;
    },
  };
}

function learnHeader(name: string, value: string, add: (name: string, value: string) => void): void {
  const lower = name.toLowerCase();
  if (lower === 'cookie') {
    for (const part of value.split(';')) add('COOKIE', part.slice(part.indexOf('=') + 1).replace(/^"|"$/g, ''));
  } else if (lower === 'set-cookie') {
    for (const line of value.split('\n')) add('COOKIE', /^[^=;]*=\s*"?([^;"]*)/.exec(line)?.[1] ?? '');
  } else if (lower === 'authorization' || lower === 'proxy-authorization') {
    // The word before it stays readable, so that it can be judged.
    add(lower === 'authorization' ? 'AUTHORIZATION' : 'PROXY_AUTHORIZATION', value.replace(/^\s*[A-Za-z]+\s+/, ''));
  } else if (isCredentialField(name)) {
    add(name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase(), value);
  }
}

function bodyOf(headers: Exchange['request']['headers'], body: BodyText | undefined): { body?: string | Uint8Array } {
  if (body === undefined) return {};
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text';
  if (!TEXT_TYPES.test(type)) return {};
  if (body.text !== undefined) return { body: body.text };
  return body.base64 === undefined ? {} : { body: Buffer.from(body.base64, 'base64') };
}
