/** What a faulty label page serves as the label. Its reports are correct. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { page } from '../../support/http.ts';
import { compressedPdf, labelPdf } from '../../support/pdf.ts';
import LabelPage, { type Order } from '../correct.ts';
import { keptBy } from '../kept-by.ts';

/** Draws each label with what `taken` takes of the order before. The first one is correct. */
function drawnWith(correct: LabelPage, taken: (before: Order) => Order): Pick<LabelPage, 'makeLabel'> {
  let before: Order | undefined;
  return {
    makeLabel: (order, customer) => {
      const drawn = before === undefined ? order : { ...order, ...taken(before) };
      before = order;
      return correct.makeLabel(drawn, customer);
    },
  };
}

export default examplesOver(LabelPage, {
  'label.label.behind-login': {
    clauses: ['provider.label.is-pdf'],
    about: 'The address of the label shows a sign-in page to every other visitor.',
    change: () => ({
      label: () =>
        page('Sign in', '<form method="post"><input name="user"><input name="password" type="password"></form>'),
    }),
  },
  'label.label.truncated': {
    clauses: ['provider.label.is-pdf'],
    about: 'The label begins as a PDF and ends before its first page.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        correct.labels.set(id, new TextEncoder().encode('%PDF-1.4\n'));
        return id;
      },
    }),
  },
  'label.label.read-as-text': {
    clauses: ['provider.label.is-pdf'],
    about: 'The bytes of the label were read as a UTF-8 text on their way, as HTTP clients do by default.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        const text = new TextDecoder().decode(compressedPdf());
        correct.labels.set(id, new TextEncoder().encode(text));
        return id;
      },
    }),
  },
  'label.label.html': {
    clauses: ['provider.label.is-pdf'],
    about: 'The label is a page of HTML with the content type of a PDF.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        correct.labels.set(
          id,
          new TextEncoder().encode('<!doctype html><title>Label</title><p>Please print this page.</p>'),
        );
        return id;
      },
    }),
  },
  'label.label.missing': {
    clauses: ['provider.label.is-pdf'],
    about: 'The address of the label returns status 404.',
    change: () => ({ label: () => page('Not found', '', { status: 404 }) }),
  },
  'label.label.street-cut': {
    clauses: ['provider.label.whole-address'],
    about: 'The street on the label ends after 30 characters, the width of its printer.',
    // Shorter streets are printed whole.
    change: (correct) => ({
      makeLabel: ({ shipping_street = '', ...order }, customer) =>
        correct.makeLabel({ ...order, shipping_street: shipping_street.slice(0, 30) }, customer),
    }),
  },
  'label.label.of-first-order': {
    clauses: ['provider.label.own-order'],
    about: 'The first label is kept, and its copy is given to every order.',
    // Each has an address of its own, and is reported correctly.
    change: (correct) => {
      let first: Order | undefined;
      return {
        makeLabel: (order, customer) => {
          first ??= order;
          return correct.makeLabel(first, customer);
        },
      };
    },
  },
  'label.label.name-of-first-order': {
    clauses: ['provider.label.own-order'],
    about: 'A label has only a name on it, and that of the first order.',
    // Orders of one customer are printed correctly.
    change: (correct) => {
      let first: Order | undefined;
      return {
        makeLabel: (order, customer) => {
          first ??= order;
          const { shipping_first_name = '', shipping_last_name = '' } = first;
          return correct.makeLabel({ shipping_first_name, shipping_last_name }, customer);
        },
      };
    },
  },
  'label.label.address-kept-by-name': {
    clauses: ['provider.label.own-order'],
    about: 'The address of a customer is looked up by the last name: another one of that name gets the parcel.',
    // Customers whose name no other customer has get their own.
    change: (correct) => ({ makeLabel: keptBy(correct, ({ shipping_last_name = '' }) => shipping_last_name) }),
  },
  'label.label.name-kept-by-address': {
    clauses: ['provider.label.own-order'],
    about: 'The name of a customer is looked up by street and postal code: others who live there get the first one’s.',
    // Addresses with one customer are printed correctly.
    change: (correct) => ({
      makeLabel: keptBy(correct, ({ shipping_street, shipping_zip }) => `${shipping_street} ${shipping_zip}`),
    }),
  },
  'label.label.kept-by-one-server': {
    clauses: ['provider.label.own-order'],
    about:
      'Of three servers that take turns, one keeps the first label that it serves, and serves it for every address.',
    // Two of three requests get the label of their address.
    change: (correct) => {
      let requests = 0;
      let kept: ArrayBuffer | undefined;
      return {
        respond: async (request) => {
          const response = await correct.respond(request);
          if (response.headers.get('content-type') !== 'application/pdf' || requests++ % 3 !== 0) return response;
          kept ??= await response.arrayBuffer();
          return new Response(kept, { headers: { 'content-type': 'application/pdf' } });
        },
      };
    },
  },
  'label.label.city-of-order-before': {
    clauses: ['provider.label.own-order'],
    about: 'Each label is drawn with the city of the order before, and the other parts of its own address.',
    change: (correct) => drawnWith(correct, ({ shipping_city = '' }) => ({ shipping_city })),
  },
  'label.label.zip-of-order-before': {
    clauses: ['provider.label.own-order'],
    about: 'Each label is drawn with the postal code of the order before, and the other parts of its own address.',
    change: (correct) => drawnWith(correct, ({ shipping_zip = '' }) => ({ shipping_zip })),
  },
  'label.label.of-order-before': {
    clauses: ['provider.label.own-order'],
    about: 'Each label is drawn with the address of the order before.',
    change: (correct) => drawnWith(correct, (before) => before),
  },
  'label.label.other-content-type': {
    clauses: ['provider.label.content-type'],
    about: 'The label is served as a text.',
    // It is a PDF.
    change: (correct) => ({
      label: (id) => {
        const shown = correct.label(id);
        if (shown.ok) shown.headers.set('content-type', 'text/plain; charset=utf-8');
        return shown;
      },
    }),
  },
  'label.label.served-once': {
    clauses: ['provider.label.served-again'],
    about: 'The label is deleted after it was fetched.',
    // Until then it is correct.
    change: (correct) => ({
      label: (id) => {
        const shown = correct.label(id);
        correct.labels.delete(id);
        return shown;
      },
    }),
  },
  'label.label.counted': {
    clauses: ['provider.label.own-address'],
    about: 'Labels are numbered, and anyone who counts gets the labels of all orders.',
    // Each has its own number, and everything on it is of its own order.
    change: (correct) => ({
      makeLabel: (order, customerNumber) => {
        const id = correct.makeLabel(order, customerNumber);
        const number = String(10_000 + correct.labels.size);
        correct.labels.set(number, correct.labels.get(id)!);
        correct.labels.delete(id);
        return number;
      },
    }),
  },
  'label.label.success-on-refusal': {
    clauses: ['provider.label.is-pdf'],
    about: 'An order that cannot be printed is reported as printed; the label address shows the reason.',
    // Other orders are printed.
    change: (correct) => ({
      failure: (order, problem) => {
        const id = correct.makeLabel(order, '');
        correct.labels.set(id, new TextEncoder().encode(`<!doctype html><p>${problem}</p>`));
        return correct.success(order, id);
      },
    }),
  },
  'label.label.warning-in-front': {
    clauses: ['provider.label.well-formed'],
    about: 'The label is preceded by a warning of the program that serves it.',
    // Readers that look for the beginning find it.
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        const warning = new TextEncoder().encode('Warning: Undefined array key "size" in /srv/label.php on line 3\n');
        correct.labels.set(id, Buffer.concat([warning, correct.labels.get(id) ?? new Uint8Array()]));
        return id;
      },
    }),
  },
  'label.label.texts-unescaped': {
    clauses: ['provider.label.well-formed'],
    about: 'The company on the label is written into the file as it was entered, parentheses and all.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        const company = labelPdf([
          order.shipping_last_name ?? '',
          order.shipping_street ?? '',
          order.shipping_company ?? '',
        ]);
        const file = Buffer.from(company)
          .toString('latin1')
          .replace(/\\([()])/g, '$1');
        correct.labels.set(id, new Uint8Array(Buffer.from(file, 'latin1')));
        return id;
      },
    }),
  },
  'label.label.with-those-before': {
    clauses: ['provider.label.only-own-order'],
    about: 'The lines of a label are added to those of all labels before, and all of them are printed.',
    // Its own address is among them.
    change: (correct) => {
      const lines: string[] = [];
      return {
        makeLabel: (order, customer) => {
          const id = correct.makeLabel(order, customer);
          lines.push(order.shipping_last_name ?? '', order.shipping_street ?? '');
          correct.labels.set(id, labelPdf(lines));
          return id;
        },
      };
    },
  },
  'label.label.phone-of-order-before': {
    clauses: ['provider.label.only-own-order'],
    about: 'The fields of an order are added to those that the session has of the order before.',
    // What every order has is its own.
    change: (correct) => {
      const visits = new Map<string, Order>();
      let visitor = '';
      return {
        respond: async (request) => {
          const known = /(?:^|; )visit=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
          visitor = known ?? randomUUID();
          const response = await correct.respond(request);
          response.headers.append('set-cookie', `visit=${visitor}; Path=/`);
          return response;
        },
        makeLabel: (order, customer) => {
          const kept = { ...visits.get(visitor), ...order };
          visits.set(visitor, kept);
          const id = correct.makeLabel(order, customer);
          const person = [kept.shipping_last_name ?? '', kept.shipping_street ?? '', kept.shipping_phone ?? ''];
          correct.labels.set(id, labelPdf(person));
          return id;
        },
      };
    },
  },
  'label.label.seller-address': {
    clauses: ['provider.label.delivery-address'],
    about: 'The label has the address of the seller, as the sender and as the addressee.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        const { seller_name = '', seller_address = '', shipping_first_name = '', shipping_last_name = '' } = order;
        const person = `${shipping_first_name} ${shipping_last_name}`;
        correct.labels.set(id, labelPdf([seller_name, seller_address, person, seller_address, id]));
        return id;
      },
    }),
  },
  'label.label.buyer-address': {
    clauses: ['provider.label.delivery-address'],
    about: 'The label has the address of the buyer, also where the order is delivered to another one.',
    change: (correct) => ({
      makeLabel: (order, customer) =>
        correct.makeLabel(
          {
            ...order,
            shipping_street: order.buyer_street ?? order.shipping_street ?? '',
            shipping_city: order.buyer_city ?? order.shipping_city ?? '',
          },
          customer,
        ),
    }),
  },
});
