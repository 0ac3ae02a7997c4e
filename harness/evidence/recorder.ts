/** Turns requests and responses into `Exchange` events: redacted, capped, numbered. */

import type { BodyText, Exchange } from '../../contracts/run/events.ts';
import { instantText } from '../../contracts/run/instants.ts';
import { learnSecrets } from '../target/secrets/received-secrets.ts';
import { Secret } from '../target/secrets/secret.ts';
import { READ_AHEAD_CHARS, shownLength } from './cut.ts';
import { withoutSecretStreams } from './packed-streams.ts';
import type { RecordedExchange, RecordedMessage } from './recorded-exchange.ts';
import { maskPersonalText, type Redaction } from './redaction/index.ts';
import { asRedacted, type Redacted } from './redaction/redacted.ts';

export interface RecorderOptions {
  /** The check that the exchanges belong to; a function when one recorder serves several. */
  readonly check: string | (() => string);
  /** Takes each exchange as soon as it is complete. */
  readonly spool: (exchange: Redacted<Exchange>) => void;
  readonly redaction: Redaction;
  /** Leaves names, e-mails and phones as they are. */
  readonly showPersonalData?: boolean;
  /** Sees each exchange before it is redacted, to make more known to the redaction. */
  readonly prepare?: (exchange: RecordedExchange) => void;
  /** Gives the numbers; one count for the whole process by default. */
  readonly next?: () => number;
}

export interface Recorder {
  /** Records one exchange and returns its number. */
  record(exchange: RecordedExchange): number;
  /** Takes secrets out of a text that a check quotes. */
  readonly redact?: (text: string) => string;
}

/** More of a body is seldom read, and reports stay small enough to send around. */
export const MAX_RECORDED_BODY_BYTES = 64 * 1024;

let numbered = 0;

/** Makes a recorder. Secrets that a response hands out (tokens, codes, login links) are made known to the redaction first. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { redaction, spool } = options;
  const check = options.check;
  const nameOfCheck = typeof check === 'string' ? () => check : check;
  const next = options.next ?? (() => ++numbered);
  const visible = (text: string): string => {
    const redacted = redaction.text(text);
    return options.showPersonalData === true ? redacted : maskPersonalText(redacted);
  };

  const headersOf = (message: RecordedMessage): [string, string][] =>
    message.headers.map(([given, value]) => {
      // A service that repeats what it was sent may do so in a name.
      const name = redaction.text(given);
      // A value is redacted as it was sent, so that `ApiKey $STORE_KEY` can be read; what the redaction does not know prints itself.
      if (!(value instanceof Secret)) return [name, redaction.field(name, value)];
      const text = redaction.field(name, value.reveal());
      return [name, text === value.reveal() ? String(value) : text];
    });

  const bodyOf = (message: RecordedMessage): { body?: BodyText } => {
    const { body } = message;
    if (body === undefined || body.length === 0) return {};
    return { body: bodyText(typeof body === 'string' ? Buffer.from(body, 'utf8') : body, redaction, visible) };
  };

  return {
    redact: (text) => redaction.text(text),
    record: (exchange) => {
      learnSecrets(exchange, redaction);
      options.prepare?.(exchange);
      const { request, response } = exchange;
      const n = next();
      spool(
        asRedacted({
          type: 'exchange',
          n,
          check: nameOfCheck(),
          role: exchange.role ?? 'request',
          direction: exchange.direction ?? 'sent',
          at: instantText(exchange.at),
          durationMs: Math.round(exchange.durationMs * 100) / 100,
          request: {
            method: request.method,
            url: visible(request.url),
            headers: headersOf(request),
            ...bodyOf(request),
          },
          ...(response === undefined
            ? {}
            : { response: { status: response.status, headers: headersOf(response), ...bodyOf(response) } }),
          ...(exchange.failure === undefined ? {} : { failure: redaction.text(exchange.failure) }),
        }),
      );
      return n;
    },
  };
}

function bodyText(bytes: Uint8Array, redaction: Redaction, visible: (text: string) => string): BodyText {
  const more = bytes.length - MAX_RECORDED_BODY_BYTES;
  const truncated = more > 0 ? { truncated: more } : {};
  const looked = more > 0 ? bytes.subarray(0, MAX_RECORDED_BODY_BYTES + READ_AHEAD_CHARS) : bytes;
  const text = utf8Of(looked, looked.length < bytes.length);
  if (text === undefined) {
    const redacted = redaction.bytes(withoutSecretStreams(looked, (content) => redaction.text(content) !== content));
    const shown = redacted.subarray(0, shownLength(redacted.length, MAX_RECORDED_BODY_BYTES, more > 0));
    return { base64: Buffer.from(shown).toString('base64'), ...truncated };
  }
  const redacted = visible(text);
  const shown =
    more > 0
      ? redaction.text(
          redacted
            .slice(0, shownLength(redacted.length, MAX_RECORDED_BODY_BYTES, looked.length < bytes.length))
            .toWellFormed(),
        )
      : redacted;
  return { text: shown, ...truncated };
}

/** The text of UTF-8 bytes; a piece may end in the middle of a character. Undefined when they are something else. */
function utf8Of(bytes: Uint8Array, isPiece: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isPiece });
  } catch {
    return undefined;
  }
}
