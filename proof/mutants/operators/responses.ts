/** Operators on the form of successes and refusals: status, content type, envelope. */
import { isReading, type Operation } from '../locations/operations.ts';
import { isSuccess, type Json, type MutableRequest, type Reply } from '../message.ts';
import type { Operator } from './operator.ts';

type Change = (reply: Reply, sent: MutableRequest) => void;

const onAll = (_operation: Operation, field?: unknown): boolean => field === undefined;
const onWrites = (operation: Operation, field?: unknown): boolean => field === undefined && !isReading(operation);
const onReseller = (operation: Operation, field?: unknown): boolean =>
  field === undefined && operation.iface === 'reseller';
const onRecords = (operation: Operation, field?: unknown): boolean => field === undefined && isReading(operation);

function formed(
  ofSuccess: boolean,
  id: string,
  group: string,
  about: string,
  change: Change,
  applies: Operator['applies'],
): Operator {
  return {
    id,
    group,
    about,
    applies,
    when: ['owner and kind of key', 'GET and POST, body format', 'state after a refusal'],
    behave: (operation) => ({
      isPure: true,
      response: (sent, reply, world, holds) => {
        if (sent.operation !== operation || isSuccess(reply) !== ofSuccess || !holds(sent)) return reply;
        const before = JSON.stringify([reply.status, [...reply.headers], reply.json ?? reply.text]);
        change(reply, sent);
        if (JSON.stringify([reply.status, [...reply.headers], reply.json ?? reply.text]) !== before) world.fire();
        return reply;
      },
    }),
  };
}

const ofSuccess = (id: string, about: string, change: Change, applies: Operator['applies'] = onAll): Operator =>
  formed(true, id, 'another envelope, status or content type', about, change, applies);
const ofRefusal = (id: string, about: string, change: Change): Operator =>
  formed(false, id, 'another envelope, status or content type', about, change, onAll);

/** A body that is not a JSON object. */
const asText = (reply: Reply, text: string): void => {
  reply.json = undefined;
  reply.text = text;
};

const setError =
  (value: unknown): Change =>
  ({ json }) => {
    if (json !== undefined) json.error = value;
  };

const edit =
  (change: (json: Json) => void): Change =>
  ({ json }) => {
    if (json !== undefined) change(json);
  };

/** The names of the error's code and message in the interface, and in the other interfaces. */
const NAMES = [
  ['error_code', 'errorCode'],
  ['error_message', 'errorMsg'],
] as const;

const renamed = (json: Json): void => {
  for (const [one, other] of NAMES) {
    const [from, to] = Object.hasOwn(json, one) ? [one, other] : [other, one];
    if (!Object.hasOwn(json, from)) continue;
    json[to] = json[from];
    delete json[from];
  }
};

const member = (at: 0 | 1, change: (json: Json, name: string) => void): Change =>
  edit((json) => {
    const name = NAMES[at].find((one) => Object.hasOwn(json, one));
    if (name !== undefined) change(json, name);
  });

const status =
  (code: number): Change =>
  (reply) => {
    reply.status = code;
  };

export const RESPONSE_OPERATORS: readonly Operator[] = [
  ...[201, 202, 204, 299].map((code) => ofSuccess(`status-${code}`, `Success has status ${code}.`, status(code))),
  ...[400, 500].map((code) =>
    ofSuccess(`status-${code}`, `Success has status ${code} and the body of a success.`, status(code)),
  ),
  ofSuccess('empty-body', 'Success has an empty body.', (reply) => asText(reply, '')),
  ofSuccess('body-in-list', 'The body is in a list.', (reply) => asText(reply, JSON.stringify([reply.json]))),
  ofSuccess('json-in-text', 'The body is JSON text inside a JSON text.', (reply) =>
    asText(reply, JSON.stringify(JSON.stringify(reply.json))),
  ),
  ofSuccess('body-in-data', 'The body is in a member "data".', (reply) => {
    reply.json = { error: false, data: reply.json };
  }),
  ofSuccess('byte-order-mark', 'The body begins with a byte order mark.', (reply) =>
    asText(reply, `\uFEFF${JSON.stringify(reply.json)}`),
  ),
  ofSuccess('warning-before-body', 'A warning in HTML comes before the JSON.', (reply) =>
    asText(reply, `<b>Warning</b>: division by zero\n${JSON.stringify(reply.json)}`),
  ),
  ofSuccess('content-type-html', 'The content type is text/html.', ({ headers }) =>
    headers.set('content-type', 'text/html'),
  ),
  ofSuccess('content-type-missing', 'There is no content type.', ({ headers }) => headers.delete('content-type')),
  ofSuccess(
    'error-missing',
    'Success has no member error.',
    edit((json) => delete json.error),
    (operation, field) => onWrites(operation, field) || onReseller(operation, field),
  ),
  ofSuccess('error-true', 'Success says error: true.', setError(true)),
  ofSuccess('error-null', 'Success says error: null.', setError(null)),
  ofSuccess('error-zero', 'Success says error: 0.', setError(0)),
  ofSuccess('error-text', 'Success says error: "false".', setError('false')),
  ofSuccess(
    'wrapper-missing',
    'The response of a reading call is empty but for the envelope.',
    (reply) => {
      reply.json = { error: false };
    },
    onRecords,
  ),
  ofSuccess(
    'members-renamed',
    'The members have other letter case.',
    (reply) => {
      reply.json = Object.fromEntries(
        Object.entries(reply.json ?? {}).map(([name, value]) => [name === 'error' ? name : name.toUpperCase(), value]),
      );
    },
    onRecords,
  ),
  ofRefusal('refusal-status-200', 'A refusal has status 200.', status(200)),
  ofRefusal('refusal-status-302', 'A refusal is a redirect.', (reply) => {
    reply.status = 302;
    reply.headers.set('location', '/login');
  }),
  ofRefusal('refusal-status-500', 'A refusal has status 500.', status(500)),
  ofRefusal('refusal-without-body', 'A refusal has no body.', (reply) => asText(reply, '')),
  ofRefusal('refusal-html', 'A refusal is a page.', (reply) => {
    asText(reply, '<h1>Bad Request</h1>');
    reply.headers.set('content-type', 'text/html');
  }),
  ofRefusal('refusal-error-false', 'A refusal says error: false.', setError(false)),
  ofRefusal('refusal-error-text', 'A refusal says error: "true".', setError('true')),
  ofRefusal('refusal-error-number', 'A refusal says error: 1.', setError(1)),
  ofRefusal(
    'refusal-error-missing',
    'A refusal has no member error.',
    edit((json) => delete json.error),
  ),
  ofRefusal('refusal-of-other-interface', 'A refusal has the envelope of the other interfaces.', edit(renamed)),
  ofRefusal(
    'refusal-code-text',
    'The code of a refusal is a text.',
    member(0, (json, name) => {
      json[name] = String(json[name]);
    }),
  ),
  ofRefusal(
    'refusal-code-fraction',
    'The code of a refusal is not an integer.',
    member(0, (json, name) => {
      json[name] = Number(json[name]) + 0.5;
    }),
  ),
  ofRefusal(
    'refusal-code-missing',
    'A refusal has no code.',
    member(0, (json, name) => delete json[name]),
  ),
  ofRefusal(
    'refusal-message-missing',
    'A refusal has no message.',
    member(1, (json, name) => delete json[name]),
  ),
  ofRefusal(
    'refusal-message-null',
    'The message of a refusal is null.',
    member(1, (json, name) => {
      json[name] = null;
    }),
  ),
  ofRefusal(
    'refusal-message-list',
    'The message of a refusal is a list.',
    member(1, (json, name) => {
      json[name] = [json[name]];
    }),
  ),
];
