/** Label pages that verify correctly, and accept what passes another verification besides. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { page } from '../../support/http.ts';
import LabelPage, { type Fields, fieldsOf } from '../correct.ts';

/** Accepts what is signed correctly, and what has the signature that is made of the fields in another way. */
const besides = (correct: LabelPage, made: (fields: Fields) => string) => ({
  accepts: (fields: Fields) =>
    correct.accepts(fields) ||
    correct.matches(new Map(fields).get('signature') ?? '', made(fields.filter(([name]) => name !== 'signature'))),
});

/** Prints what comes to a path that is routed like that of the page, but is spelled in another way, without looking at its signature. */
async function unverified(correct: LabelPage, request: Request, routed: (path: string) => string): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/label' || routed(pathname) !== '/label' || request.method !== 'POST')
    return correct.respond(request);
  const order = Object.fromEntries(await fieldsOf(request));
  return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
}

export default examplesOver(LabelPage, {
  'label.verification.ends-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Unsigned requests print labels, and one without the fields of an order ends the program of the page.',
    // Authentic requests are printed until then.
    change: (correct) => {
      let hasEnded = false;
      return {
        respond: async (request) => {
          if (hasEnded) return new Response('', { status: 503 });
          if (new URL(request.url).pathname !== '/label' || request.method !== 'POST') return correct.respond(request);
          const fields = await fieldsOf(request);
          const order = Object.fromEntries(fields);
          hasEnded = order.shipping_last_name === undefined;
          const isUnsigned = !order.signature && !hasEnded;
          if (!isUnsigned) return correct.printLabel(fields);
          return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
        },
      };
    },
  },
  'label.verification.slash-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; with a slash at the end they print labels unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/\/$/, '')) }),
  },
  'label.verification.capitals-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; in capitals they print labels unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.toLowerCase()) }),
  },
  'label.verification.path-parameter-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; with a parameter behind it they print labels unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/;.*/, '')) }),
  },
  'label.verification.double-slash-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; with two slashes they print labels unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/^\/+/, '/')) }),
  },
  'label.verification.encoded-path-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; percent-encoded they print labels unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, decodeURIComponent) }),
  },
  'label.verification.format-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; with the ending of a format they print labels unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/\.\w+$/, '')) }),
  },
  'label.verification.index-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests of the path of the page are verified; with /index behind it they print labels unverified.',
    change: (correct) => ({
      respond: (request) => unverified(correct, request, (path) => path.replace(/\/index$/, '')),
    }),
  },
  'label.verification.put-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Posted requests are verified; a PUT prints a label unverified.',
    change: (correct) => ({
      respond: async (request) => {
        if (new URL(request.url).pathname !== '/label' || request.method !== 'PUT') return correct.respond(request);
        const order = Object.fromEntries(await fieldsOf(request));
        return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
      },
    }),
  },
  'label.verification.form-for-programs': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Orders that come as JSON are not verified: they lead to the form that prints the label.',
    // Posted forms are verified, and no program gets a label at once.
    change: (correct) => {
      const orders = new Map<string, Fields>();
      const form = (fields: Fields): Response => {
        const id = randomUUID();
        orders.set(id, fields);
        return page('Label', `<form method="post" action="/print?id=${id}"><button>Print label</button></form>`);
      };
      const confirmed = async (id: string): Promise<Response> => {
        const order = Object.fromEntries(orders.get(id) ?? []);
        return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
      };
      return {
        respond: async (request) => {
          const { pathname, searchParams } = new URL(request.url);
          if (pathname === '/print') return confirmed(searchParams.get('id') ?? '');
          if (pathname !== '/label' || request.method !== 'POST') return correct.respond(request);
          if (request.headers.get('content-type') === 'application/json')
            return form(Object.entries((await request.json()) as Record<string, string>));
          const fields = await fieldsOf(request);
          const isPrinted = correct.accepts(fields) && correct.problemOf(Object.fromEntries(fields)) === null;
          return isPrinted ? form(fields) : correct.printLabel(fields);
        },
      };
    },
  },
  'label.verification.any-case-once': {
    clauses: ['provider.refusals.near-miss'],
    about:
      'The letter case of the signature is ignored. Each request is printed once, and a script sends the callback.',
    // A request that is sent again is refused, whatever its signature.
    change: (correct) => {
      const printed = new Set<string>();
      return {
        matches: (received, right) => correct.matches(received.toLowerCase(), right.toLowerCase()),
        printLabel: async (fields) => {
          const id = new Map(fields).get('label_request_id') ?? '';
          if (printed.has(id)) return page('Printed already', '', { status: 409 });
          if (correct.accepts(fields)) printed.add(id);
          return correct.printLabel(fields);
        },
        report: async (order, parameters) =>
          page('Label', `<script>location.replace(${JSON.stringify(correct.callback(order, parameters))})</script>`),
      };
    },
  },
  'label.verification.line-break-ignored': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is compared by a pattern, whose end also matches in front of a line break.',
    // Every other character has to be right.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replace(/\r?\n$/, ''), right) }),
  },
  'label.verification.cart-omitted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'If the signature does not match, it is checked again without the cart.',
    // Nothing else may be added or changed.
    change: (correct) =>
      besides(correct, (fields) => correct.signature(correct.message(fields.filter(([name]) => name !== 'cart')))),
  },
  'label.verification.id-alone-signed': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of the label_request_id alone is also accepted.',
    change: (correct) => besides(correct, (fields) => correct.signature(new Map(fields).get('label_request_id') ?? '')),
  },
  'label.verification.handle-as-key': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature made with the handle of the delivery method instead of the key is also accepted.',
    // Every other key is refused.
    change: (correct) =>
      besides(correct, (fields) =>
        createHmac('sha256', new Map(fields).get('delivery_method_handle') ?? '')
          .update(correct.message(fields))
          .digest('base64'),
      ),
  },
  'label.verification.id-as-key': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature made with the label_request_id instead of the key is also accepted.',
    // Every other key is refused.
    change: (correct) =>
      besides(correct, (fields) =>
        createHmac('sha256', new Map(fields).get('label_request_id') ?? '')
          .update(correct.message(fields))
          .digest('base64'),
      ),
  },
  'label.verification.json-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature over names and values as JSON is also accepted.',
    // No value may be changed.
    change: (correct) => besides(correct, (fields) => correct.signature(JSON.stringify(Object.fromEntries(fields)))),
  },
  'label.verification.full-width-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is normalized before it is compared, so that letters in full width are the same.',
    // All its characters count.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.normalize('NFKC'), right) }),
  },
  'label.verification.tags-removed': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Tags are taken out of the signature, as out of all input, before it is compared.',
    // All other characters count.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replace(/<[^>]*>/g, ''), right) }),
  },
  'label.verification.backslashes-removed': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Backslashes are taken out of the signature, as out of all input, before it is compared.',
    // All other characters count.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replaceAll('\\', ''), right) }),
  },
  'label.verification.invisible-ignored': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Characters outside ASCII are taken out of the signature before it is compared.',
    // All other characters count.
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/[^\x20-\x7e]/g, ''), right),
    }),
  },
  'label.verification.md5-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'An MD5 digest of the message is also accepted.',
    // It needs no key.
    change: (correct) => besides(correct, (fields) => createHash('md5').update(correct.message(fields)).digest('hex')),
  },
  'label.verification.sha-512-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature by SHA-512 is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        createHmac('sha512', correct.settings.apiKey).update(correct.message(fields)).digest('base64'),
      ),
  },
  'label.verification.query-string-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature over names and values as a query string is also accepted.',
    // No value may be changed.
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()),
      ),
  },
  'label.verification.same-characters': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is compared by its characters, in whatever order they are.',
    // A signature with another character is refused.
    change: () => ({
      matches: (received, right) => [...received].sort().join('') === [...right].sort().join(''),
    }),
  },
  'label.verification.only-with-referer': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request that does not name the page it comes from is taken for one of the page’s own, and not verified.',
    // A form of a browser names it, as a rule.
    change: (correct) => ({
      respond: async (request) => {
        const isLabel = new URL(request.url).pathname === '/label' && request.method === 'POST';
        if (!isLabel || request.headers.get('referer') !== null) return correct.respond(request);
        const used = (await fieldsOf(request)).filter(([name]) => name !== 'signature');
        return correct.printLabel([...used, ['signature', correct.signature(correct.message(used))]]);
      },
    }),
  },
  'label.verification.only-with-origin': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request without an Origin is taken for one of the page’s own programs, and not verified.',
    // A form of a browser has one, if only "null".
    change: (correct) => ({
      respond: async (request) => {
        const isLabel = new URL(request.url).pathname === '/label' && request.method === 'POST';
        if (!isLabel || request.headers.get('origin') !== null) return correct.respond(request);
        const used = (await fieldsOf(request)).filter(([name]) => name !== 'signature');
        return correct.printLabel([...used, ['signature', correct.signature(correct.message(used))]]);
      },
    }),
  },
  'label.verification.reported-by-server': {
    clauses: ['provider.refusals.no-request-sent'],
    about: 'The server itself reports a request with a wrong signature to the callback that it names.',
    // It reports a failure, and the page refuses the request.
    change: (correct) => ({
      printLabel: async (fields) => {
        const order = Object.fromEntries(fields);
        if (!correct.accepts(fields) && URL.canParse(order.callback_url ?? ''))
          await fetch(correct.callback(order, correct.failure(order, 'The signature is wrong.'))).catch(
            () => undefined,
          );
        return correct.printLabel(fields);
      },
    }),
  },
  'label.verification.shown-unverified': {
    clauses: [
      'provider.refusals.unsigned',
      'provider.refusals.other-key',
      'provider.refusals.near-miss',
      'provider.refusals.tampered',
    ],
    about: 'Only what is signed correctly is reported, but every sender of an order gets its label as the response.',
    // No forged request leads to a callback.
    change: (correct) => ({
      printLabel: async (fields) =>
        correct.accepts(fields)
          ? correct.printLabel(fields)
          : correct.label(correct.makeLabel(Object.fromEntries(fields), '')),
    }),
  },
  'label.verification.sorted-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'If the signature does not match, it is checked again over sorted fields.',
    // No value may be changed.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(fields) || correct.accepts([...fields].sort(([one], [other]) => (one < other ? -1 : 1))),
    }),
  },
  'label.verification.padding-ignored': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Equals signs at the end of the signature are left out before it is compared.',
    // All its other characters count.
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/=$/, ''), right.replace(/=$/, '')),
    }),
  },
  'label.verification.skipped-for-debug': {
    clauses: ['provider.refusals.other-key'],
    about: 'A request with debug=1 in the address is not verified.',
    change: (correct) => {
      let isDebug = false;
      return {
        respond: (request) => {
          isDebug = new URL(request.url).searchParams.get('debug') === '1';
          return correct.respond(request);
        },
        accepts: (fields) => isDebug || correct.accepts(fields),
      };
    },
  },
  'label.verification.unknown-shop-unkeyed': {
    clauses: ['provider.refusals.other-key'],
    about: 'Keys are looked up by the alias of the website; for an alias without one the key is empty.',
    change: (correct) => {
      const known = new Set<string>();
      return {
        accepts: (fields) => {
          const alias = new Map(fields).get('website_alias') ?? '';
          if (correct.accepts(fields)) known.add(alias);
          if (known.has(alias)) return correct.accepts(fields);
          const rest = fields.filter(([name]) => name !== 'signature');
          const right = createHmac('sha256', '').update(correct.message(rest)).digest('base64');
          return correct.matches(new Map(fields).get('signature') ?? '', right);
        },
      };
    },
  },
  'label.verification.blank-fields-omitted': {
    clauses: ['provider.refusals.tampered'],
    about: 'Fields of nothing but spaces are not part of the message.',
    change: (correct) => ({ message: (fields) => correct.message(fields.filter(([, value]) => value.trim() !== '')) }),
  },
});
