/** What a faulty label page reports when it has made a label, and how. */
import { createHmac, randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields, fieldsOf, type Order } from '../correct.ts';

/** How long a label takes to be made. */
const LABEL_MS = 150;

/** The parameters of success with another tracking_url, signed. */
const withTracking = (correct: LabelPage, order: Order, labelId: string, address: string): Fields =>
  correct.signed(
    correct
      .success(order, labelId)
      .filter(([name]) => name !== 'signature')
      .map(([name, value]) => [name, name === 'tracking_url' ? address : value] as const),
  );

export default examplesOver(LabelPage, {
  'label.callback.base64url': {
    clauses: ['provider.callback.signature'],
    about: 'The signature of the callback is written in base64url, without padding.',
    // Its bytes are correct.
    change: (correct) => ({
      signed: (parameters) => {
        const right = Buffer.from(correct.signature(correct.message(parameters)), 'base64');
        return [...parameters, ['signature', right.toString('base64url')]];
      },
    }),
  },
  'label.callback.before-verification': {
    clauses: [
      'provider.refusals.unsigned',
      'provider.refusals.tampered',
      'provider.refusals.other-key',
      'provider.refusals.near-miss',
    ],
    about: 'Success is reported before the signature is checked; the page then shows a refusal.',
    // The check itself is correct.
    change: (correct) => ({
      printLabel: async (fields) => {
        const order = Object.fromEntries(fields);
        const response = await correct.report(order, correct.success(order, correct.makeLabel(order, '')));
        await fetch(response.headers.get('location') ?? '').catch(() => {});
        return correct.accepts(fields) ? page('The label is printed', '') : correct.refused();
      },
    }),
  },
  'label.callback.by-post': {
    clauses: ['provider.callback.by-get'],
    about: 'The callback is sent as a posted form.',
    // Its parameters are correct.
    change: () => ({
      report: async (order, parameters) => {
        const inputs = parameters.map(
          ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
        );
        const form = `<form method="post" action="${escaped(order.callback_url ?? '')}">${inputs.join('')}</form>`;
        return page('One moment', `${form}<script>document.forms[0].submit()</script>`);
      },
    }),
  },
  'label.callback.hex': {
    clauses: ['provider.callback.signature'],
    about: 'The signature of the callback is written in hexadecimal digits.',
    // Its bytes are correct.
    change: (correct) => ({
      signed: (parameters) => {
        const right = Buffer.from(correct.signature(correct.message(parameters)), 'base64');
        return [...parameters, ['signature', right.toString('hex')]];
      },
    }),
  },
  'label.callback.latest-order': {
    clauses: ['provider.callback.same-id', 'provider.label.tabs-separate'],
    about: 'A form asks for confirmation first, and prints the order that was opened last, by any user.',
    // An order whose form is alone is reported correctly.
    change: (correct) => {
      let latest: Fields = [];
      return {
        answer: async (request) =>
          new URL(request.url).pathname === '/print' ? correct.printLabel(latest) : correct.answer(request),
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          latest = fields;
          return page('Label', '<form method="post" action="/print"><button>Print</button></form>');
        },
      };
    },
  },
  'label.callback.latest-tab': {
    clauses: ['provider.label.tabs-separate'],
    about: 'A form asks for confirmation first, and prints the order that was opened last in any tab of the browser.',
    // Users with browsers of their own do not disturb each other.
    change: (correct) => {
      const latest = new Map<string, Fields>();
      return {
        answer: async (request) => {
          const visitor = /(?:^|; )visitor=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? randomUUID();
          const { pathname } = new URL(request.url);
          if (pathname === '/print') return correct.printLabel(latest.get(visitor) ?? []);
          if (pathname !== '/label' || request.method !== 'POST') return correct.answer(request);
          const fields = await fieldsOf(request);
          if (!correct.accepts(fields)) return correct.refused();
          latest.set(visitor, fields);
          const form = '<form method="post" action="/print"><button>Print</button></form>';
          return page('Label', form, { headers: { 'set-cookie': `visitor=${visitor}; Path=/` } });
        },
      };
    },
  },
  'label.callback.mixed-up': {
    clauses: ['provider.callback.same-id'],
    about:
      'What is kept while a label is made is shared: orders that are printed at the same time are taken for the last one.',
    // One order after another is reported correctly.
    change: (correct) => {
      let current: Fields = [];
      return {
        printLabel: async (fields) => {
          if (correct.accepts(fields)) current = fields;
          await new Promise((go) => setTimeout(go, LABEL_MS));
          return correct.printLabel(correct.accepts(fields) ? current : fields);
        },
      };
    },
  },
  'label.callback.form-kept-until-printed': {
    clauses: ['provider.callback.same-id', 'provider.label.tabs-separate'],
    about: 'A form asks for confirmation first. The page makes it once, and gives it to every user until it is used.',
    // An order whose form is alone is reported correctly.
    change: (correct) => {
      const orders = new Map<string, Fields>();
      let kept: string | undefined;
      return {
        answer: async (request) => {
          const id = /^\/print\/(.+)$/.exec(new URL(request.url).pathname)?.[1];
          if (id === undefined) return correct.answer(request);
          kept = undefined;
          return correct.printLabel(orders.get(id) ?? []);
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          const id = String(orders.size);
          orders.set(id, fields);
          kept ??= id;
          return page('Label', `<form method="post" action="/print/${kept}"><button>Print</button></form>`);
        },
      };
    },
  },
  'label.callback.only-id-signed': {
    clauses: ['provider.callback.signature'],
    about: 'Only the request’s id is signed, not the label’s address.',
    // The key and the encoding are correct.
    change: (correct) => ({
      signed: (parameters) => [
        ...parameters,
        ['signature', correct.signature(correct.message(parameters.slice(0, 1)))],
      ],
    }),
  },
  'label.callback.id-in-lower-case': {
    clauses: ['provider.callback.same-id'],
    about: 'The label_request_id is stored and returned in lower case.',
    // Otherwise it is the one received.
    change: (correct) => ({
      success: (order, labelId) => {
        const id = order.label_request_id ?? '';
        return correct.success({ ...order, label_request_id: id.toLowerCase() }, labelId);
      },
    }),
  },
  'label.callback.id-of-first-print': {
    clauses: ['provider.callback.same-id'],
    about:
      'When an order is printed again, the callback of its first print is sent again, with the first label_request_id.',
    // The first print of each order is reported correctly.
    change: (correct) => {
      const reported = new Map<string, Fields>();
      return {
        success: (order, labelId) => {
          const before = reported.get(order.order_uuid ?? '');
          const parameters = before ?? correct.success(order, labelId);
          reported.set(order.order_uuid ?? '', parameters);
          return parameters;
        },
      };
    },
  },
  'label.callback.signature-of-first-print': {
    clauses: ['provider.callback.signature'],
    about:
      'When an order is printed again, the callback has the new label_request_id and the signature of the first one.',
    // The label is kept, and stays the same.
    change: (correct) => {
      const kept = new Map<string, Fields>();
      return {
        success: (order, labelId) => {
          const parameters = kept.get(order.order_uuid ?? '') ?? correct.success(order, labelId);
          kept.set(order.order_uuid ?? '', parameters);
          const id = order.label_request_id ?? '';
          return parameters.map(([name, value]) => [name, name === 'label_request_id' ? id : value] as const);
        },
      };
    },
  },
  'label.callback.tracking-sent-later': {
    clauses: ['provider.callback.label-url'],
    about: 'The tracking fields are reported by a second callback, which has no label_url.',
    // The first one is complete, and both are signed.
    change: (correct) => ({
      report: async (order, parameters) => {
        const isTracking = (name: string): boolean => name.startsWith('tracking_');
        const fields = parameters.filter(([name]) => name !== 'signature');
        const tracking = fields.filter(([name]) => name === 'label_request_id' || isTracking(name));
        await fetch(correct.callback(order, correct.signed(fields.filter(([name]) => !isTracking(name)))));
        if (tracking.length > 1) await fetch(correct.callback(order, correct.signed(tracking)));
        return page('The label is printed', '');
      },
    }),
  },
  'label.callback.first-job': {
    clauses: ['provider.label.sends-callback'],
    about: 'The first job is kept for all orders: each is reported by its callback, and none by its own.',
    // The signature of every request is checked.
    change: (correct) => {
      let first: Fields | undefined;
      return {
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          first ??= fields;
          return correct.printLabel(first);
        },
      };
    },
  },
  'label.callback.job-of-first-print': {
    clauses: ['provider.label.sends-callback'],
    about: 'The job of a label is kept by order: a second print reports the first request again, to its callback_url.',
    // The page shows a link to the label, which is a download.
    change: (correct) => {
      const jobs = new Map<string, { readonly order: Order; readonly parameters: Fields }>();
      return {
        report: async (order, parameters) => {
          const job = jobs.get(order.order_uuid ?? '') ?? { order, parameters };
          jobs.set(order.order_uuid ?? '', job);
          await fetch(correct.callback(job.order, job.parameters)).catch(() => {});
          const url = new Map(job.parameters).get('label_url') ?? '';
          return page('The label is being printed', `<a href="${escaped(url)}" download>PDF</a>`);
        },
      };
    },
  },
  'label.callback.never': {
    clauses: ['provider.label.sends-callback'],
    about: 'The page says that the label is printed and sends no callback.',
    // The label exists.
    change: () => ({ report: async () => page('The label is printed', '<p>You may close this page.</p>') }),
  },
  'label.callback.no-label-url': {
    clauses: ['provider.callback.label-url'],
    about: 'The success callback has no label_url.',
    // The signature covers its contents.
    change: (correct) => ({
      success: (order, labelId) => {
        const parameters = correct.success(order, labelId);
        return correct.signed(parameters.filter(([name]) => name !== 'label_url' && name !== 'signature'));
      },
    }),
  },
  'label.callback.other-id': {
    clauses: ['provider.callback.same-id'],
    about: 'The success callback has a label_request_id other than the received one.',
    // Its signature is correct.
    change: (correct) => ({
      success: (order, labelId) =>
        correct.success({ ...order, label_request_id: `${order.label_request_id}-1` }, labelId),
    }),
  },
  'label.callback.other-key': {
    clauses: ['provider.callback.signature'],
    about: 'The callback is signed with another key.',
    // Its message is correct.
    change: (correct) => ({
      signed: (parameters) => {
        const signature = createHmac('sha256', 'parcels-2024').update(correct.message(parameters)).digest('base64');
        return [...parameters, ['signature', signature]];
      },
    }),
  },
  'label.callback.plus-as-space': {
    clauses: ['provider.callback.signature'],
    about: 'The signature of the callback is not percent-encoded, so that its plus signs arrive as spaces.',
    // Signatures without a plus sign are received correctly.
    change: (correct) => ({
      makeLabel: (order, customer) => {
        // About every second signature has a plus sign: this page makes labels until there is one, to show it each time.
        for (;;) {
          const id = correct.makeLabel(order, customer);
          if (correct.success(order, id).at(-1)![1].includes('+')) return id;
        }
      },
      callback: (order, parameters) => correct.callback(order, parameters).replaceAll('%2B', '+'),
    }),
  },
  'label.callback.query-signed': {
    clauses: ['provider.callback.signature'],
    about: 'The whole query string of the callback is signed instead of the values.',
    // The key is correct.
    change: (correct) => ({
      signed: (parameters) => {
        const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
        return [...parameters, ['signature', correct.signature(query.toString())]];
      },
    }),
  },
  'label.callback.relative-label-url': {
    clauses: ['provider.callback.label-url'],
    about: 'label_url is a path without a host.',
    // It is signed as it is sent.
    change: (correct) => ({
      success: (order, labelId) => {
        const parameters = correct.success(order, labelId).filter(([name]) => name !== 'signature');
        return correct.signed(
          parameters.map(([name, value]) => [name, name === 'label_url' ? `/label/${labelId}.pdf` : value]),
        );
      },
    }),
  },
  'label.callback.signed-with-separator': {
    clauses: ['provider.callback.signature'],
    about: 'The signed values are separated by line breaks.',
    // Their order and the key are correct.
    change: (correct) => ({
      signed: (parameters) => [
        ...parameters,
        ['signature', correct.signature(parameters.map(([, value]) => value).join('\n'))],
      ],
    }),
  },
  'label.callback.address-in-lower-case': {
    clauses: ['provider.label.sends-callback'],
    about: 'The callback goes to the callback_url in lower case, as it is stored.',
    // Hosts and schemes have no case.
    change: (correct) => ({
      callback: (order, parameters) =>
        correct.callback({ ...order, callback_url: (order.callback_url ?? '').toLowerCase() }, parameters),
    }),
  },
  'label.callback.trailing-slash-omitted': {
    clauses: ['provider.callback.by-get'],
    about: 'The callback goes to the address without the slash at its end.',
    // Its contents are correct.
    change: (correct) => ({ callback: (order, parameters) => correct.callback(order, parameters).replace('/?', '?') }),
  },
  'label.callback.to-fixed-address': {
    clauses: ['provider.label.sends-callback'],
    about: 'The callback goes to an address that was written down once, not to the callback_url received.',
    // Its parameters are correct.
    change: (correct) => ({
      callback: (order, parameters) =>
        correct.callback({ ...order, callback_url: `${correct.settings.origin}/track/callback` }, parameters),
    }),
  },
  'label.callback.tracking-by-path': {
    clauses: ['provider.callback.tracking-values'],
    about: 'The tracking_url is a path without a host.',
    // It is signed as it is sent.
    change: (correct) => ({ success: (order, labelId) => withTracking(correct, order, labelId, '/track/7') }),
  },
  'label.callback.tracking-undefined': {
    clauses: ['provider.callback.tracking-values'],
    about: 'The carrier has no address for tracking, and the tracking_url is the word “undefined”.',
    // It is signed as it is sent.
    change: (correct) => ({ success: (order, labelId) => withTracking(correct, order, labelId, 'undefined') }),
  },
  'label.callback.tracking-in-other-order': {
    clauses: ['provider.callback.tracking-signed'],
    about: 'The tracking fields are signed in a different order than they are sent.',
    // Id and address are correct.
    change: (correct) => ({
      signed: (parameters) => {
        const isTracking = ([name]: Fields[number]): boolean => name.startsWith('tracking_');
        const others = parameters.filter((field) => !isTracking(field));
        const message = correct.message([...others, ...parameters.filter(isTracking).reverse()]);
        return [...parameters, ['signature', correct.signature(message)]];
      },
    }),
  },
  'label.callback.tracking-unsigned': {
    clauses: ['provider.callback.tracking-signed'],
    about: 'The tracking fields are not part of the signed message.',
    // Id and address are signed.
    change: (correct) => ({
      signed: (parameters) => {
        const message = correct.message(parameters.filter(([name]) => !name.startsWith('tracking_')));
        return [...parameters, ['signature', correct.signature(message)]];
      },
    }),
  },
  'label.callback.unsigned': {
    clauses: ['provider.callback.signed'],
    about: 'The success callback has no signature.',
    // Its other parameters are correct.
    change: () => ({ signed: (parameters) => parameters }),
  },
  'label.callback.unsigned-parameter': {
    clauses: ['provider.callback.parameter-order'],
    about: 'The callback has a parameter of the carrier’s own that its signature leaves out.',
    // Of what the contract names, the signature is correct.
    change: (correct) => ({
      success: (order, labelId) => {
        const [id, ...rest] = correct.success(order, labelId);
        return [id!, ['status', 'printed'], ...rest];
      },
    }),
  },
  'label.callback.url-first-in-message': {
    clauses: ['provider.callback.signature'],
    about: 'The label’s address comes before the request’s id in the signed message.',
    // They are sent in the correct order.
    change: (correct) => ({
      signed: ([id, url, ...tracking]) => {
        const order = url === undefined ? [id!] : [url, id!, ...tracking];
        const signature = correct.signature(correct.message(order));
        return [id!, ...(url === undefined ? [] : [url]), ...tracking, ['signature', signature]];
      },
    }),
  },
  'label.callback.url-sent-first': {
    clauses: ['provider.callback.parameter-order'],
    about: 'The label’s address is sent before the request’s id, and signed after it.',
    // Under that reading of the contract the signature is correct.
    change: (correct) => ({
      callback: (order, [id, url, ...rest]) =>
        correct.callback(order, url?.[0] === 'label_url' ? [url, id!, ...rest] : [id!, url!, ...rest]),
    }),
  },
});
