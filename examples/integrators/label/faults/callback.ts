/** What a faulty label page reports when it has made a label, where to, and when. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';
import { isTaken, reportedByServer } from '../reported-by-server.ts';

const unsigned = (parameters: Fields): Fields => parameters.filter(([name]) => name !== 'signature');

/** The parameters of success with another tracking_url, signed. */
const withTracking = (correct: LabelPage, order: Order, labelId: string, address: string): Fields =>
  correct.signed(
    unsigned(correct.success(order, labelId)).map(
      ([name, value]) => [name, name === 'tracking_url' ? address : value] as const,
    ),
  );

/** Reports each label with the `label_request_id` as it was stored. */
const withStoredId =
  (stored: (id: string) => string) =>
  (correct: LabelPage): Partial<LabelPage> => ({
    success: (order, labelId) =>
      correct.success({ ...order, label_request_id: stored(order.label_request_id ?? '') }, labelId),
  });

export default examplesOver(LabelPage, {
  'label.callback.lower-case-address': {
    clauses: ['provider.callback.by-get'],
    about: 'The address of the callback is written in lower case.',
    // Its parameters are right.
    change: (correct) => ({
      callback: (order, parameters) =>
        correct.callback({ ...order, callback_url: (order.callback_url ?? '').toLowerCase() }, parameters),
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
        const success = () => page('The label is printed', '');
        const shown = await reportedByServer(response.headers.get('location') ?? '', success);
        return correct.accepts(fields) ? shown : correct.refused();
      },
    }),
  },
  'label.callback.refusal-overlooked': {
    clauses: ['provider.label.failure-shown'],
    about: 'The server sends the callback, and shows the label as printed whatever the service responds.',
    // What it sends is correct.
    change: (correct) => ({
      report: async (order, parameters) => {
        await isTaken(correct.callback(order, parameters));
        return page('The label is printed', '');
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
  'label.callback.unencoded': {
    clauses: ['provider.callback.id-encoded'],
    about: 'The label_request_id is put into the address of the callback as it is.',
    // Ids of letters, digits and hyphens arrive unchanged.
    change: () => ({
      callback: (order, parameters) => {
        const rest = parameters.filter(([name]) => name !== 'label_request_id');
        return `${order.callback_url}?label_request_id=${order.label_request_id}&${new URLSearchParams(rest.map(([name, value]) => [name, value]))}`;
      },
    }),
  },
  'label.callback.posted-first': {
    clauses: ['provider.callback.by-get'],
    about: 'The callback is posted by the server, and sent again by GET, which the browser does.',
    // The service takes the second one.
    change: (correct) => ({
      report: async (order, parameters) => {
        const body = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
        await fetch(order.callback_url ?? '', { method: 'POST', body }).catch(() => undefined);
        return correct.report(order, parameters);
      },
    }),
  },
  'label.callback.id-in-lower-case': {
    clauses: ['provider.callback.same-id'],
    about: 'The label_request_id is stored and returned in lower case.',
    // Otherwise it is the one received.
    change: withStoredId((id) => id.toLowerCase()),
  },
  'label.callback.id-cut': {
    clauses: ['provider.callback.same-id'],
    about: 'A label_request_id is cut at 32 characters.',
    // Shorter ones are returned as they are.
    change: withStoredId((id) => id.slice(0, 32)),
  },
  'label.callback.long-id-cut': {
    clauses: ['provider.callback.whole-id'],
    about: 'A label_request_id is cut at 64 characters.',
    // Those of usual services are shorter.
    change: withStoredId((id) => id.slice(0, 64)),
  },
  'label.callback.id-as-number': {
    clauses: ['provider.callback.whole-id'],
    about: 'A label_request_id of digits is stored as a number.',
    // One with a letter is a text.
    change: withStoredId((id) => (/^\d+$/.test(id) ? String(Number(id)) : id)),
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
        const first = correct.signed(fields.filter(([name]) => !isTracking(name)));
        const shown = await reportedByServer(correct.callback(order, first), () => page('The label is printed', ''));
        if (tracking.length > 1) await isTaken(correct.callback(order, correct.signed(tracking)));
        return shown;
      },
    }),
  },
  'label.callback.never': {
    clauses: ['provider.label.sends-callback'],
    about: 'The page says that the label is printed and sends no callback.',
    // The label exists.
    change: () => ({ report: async () => page('The label is printed', '<p>You may close this page.</p>') }),
  },
  'label.callback.never-beside-navigation': {
    clauses: ['provider.label.sends-callback'],
    about:
      'The page says that the label is printed and sends no callback. It has a link to another page, as all pages have.',
    change: (correct) => {
      const shown = (title: string) => page(title, '<nav><a href="/stores">For stores</a></nav>');
      return {
        respond: async (request) =>
          new URL(request.url).pathname === '/label' && request.method === 'GET'
            ? shown('Labels')
            : correct.respond(request),
        report: async () => shown('The label is printed'),
      };
    },
  },
  'label.callback.never-beside-link-to-top': {
    clauses: ['provider.label.sends-callback'],
    about: 'The page says that the label is printed and sends no callback. It has a link to its own top.',
    change: () => ({ report: async () => page('The label is printed', '<a href="#">To the top</a>') }),
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
  'label.callback.address-in-lower-case': {
    clauses: ['provider.callback.by-get'],
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
  'label.callback.tracking-of-first': {
    clauses: ['provider.callback.own-tracking'],
    about: 'The tracking_url has the code of the first order in it, whatever the order is.',
    // Each order has a tracking_code of its own.
    change: (correct) => {
      let first: string | undefined;
      return {
        success: (order, labelId) => {
          first ??= correct.success(order, labelId).find(([name]) => name === 'tracking_url')?.[1] ?? '';
          return withTracking(correct, order, labelId, first);
        },
      };
    },
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
  'label.callback.tracking-placeholder': {
    clauses: ['provider.callback.tracking-values'],
    about: 'The tracking_url is the template of an address, whose placeholder was not filled.',
    // It is signed as it is sent.
    change: (correct) => ({
      success: (order, labelId) => withTracking(correct, order, labelId, 'https://track.example/parcels/{code}'),
    }),
  },
  'label.callback.tracking-by-another-name': {
    clauses: ['provider.callback.tracking-values'],
    about: 'The tracking code is sent as tracking_number.',
    // It is signed like all the others.
    change: (correct) => ({
      success: (order, labelId) =>
        correct.signed(
          unsigned(correct.success(order, labelId)).map(([name, value]) => [
            name === 'tracking_code' ? 'tracking_number' : name,
            value,
          ]),
        ),
    }),
  },
  'label.callback.tracking-of-first-order': {
    clauses: ['provider.callback.own-tracking'],
    about: 'The tracking code of the first order is kept, and reported for every order.',
    // Each label is the order's own.
    change: (correct) => {
      let first: string | undefined;
      return {
        success: (order, labelId) =>
          correct.signed(
            unsigned(correct.success(order, labelId)).map(([name, value]) => {
              if (name !== 'tracking_code') return [name, value];
              first ??= value;
              return [name, first];
            }),
          ),
      };
    },
  },
  'label.callback.tracking-without-code': {
    clauses: ['provider.callback.own-tracking'],
    about: 'The address for following a parcel is made before its code is known, and ends where the code should be.',
    change: (correct) => ({
      success: (order, labelId) => withTracking(correct, order, labelId, `${correct.settings.origin}/track/?code=`),
    }),
  },
  'label.callback.failure-after-success': {
    clauses: ['provider.callback.one-outcome'],
    about: 'A label that was reported is reported as a failure as well, by a job that does not know of the report.',
    // The success is correct, and comes first.
    change: (correct) => ({
      report: async (order, parameters) => {
        if (!parameters.some(([name]) => name === 'label_url')) return correct.report(order, parameters);
        await isTaken(correct.callback(order, parameters));
        return correct.report(order, correct.failure(order, 'The label was not made in time.'));
      },
    }),
  },
  'label.callback.second-label': {
    clauses: ['provider.callback.one-outcome'],
    about:
      'A queue runs each job twice: the second run makes another label for the same request and reports that, too.',
    // Both reports are correct by themselves.
    change: (correct) => ({
      report: async (order, parameters) => {
        if (!parameters.some(([name]) => name === 'label_url')) return correct.report(order, parameters);
        await isTaken(correct.callback(order, parameters));
        return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
      },
    }),
  },
  'label.callback.insecure-label': {
    clauses: ['provider.label.document-https'],
    about: 'Labels are served by another host over plain http.',
    // The host does not exist: whether it has PDFs is left open.
    change: (correct) => ({
      success: (order, labelId) =>
        correct.signed(
          unsigned(correct.success(order, labelId)).map(([name, value]) =>
            name === 'label_url' ? [name, `http://labels.parcels.example/${labelId}.pdf`] : [name, value],
          ),
        ),
    }),
  },
  'label.callback.message-beside-label': {
    clauses: ['provider.callback.one-outcome'],
    about: 'The success callback also has an error_msg, with the words for success.',
    change: (correct) => ({
      success: (order, labelId) =>
        correct.signed([...unsigned(correct.success(order, labelId)), ['error_msg', 'none']]),
    }),
  },
});
