/** Faults of where, how and how often label and checkout requests are sent. */
import type { Deviation } from '../../types/deviation.ts';
import { pages } from '../interception.ts';

/** Forms with this field are sent by GET. */
const byGet = (field: string): NonNullable<Deviation['http']> =>
  pages((html) =>
    html.includes(`name="${field}"`) ? html.replace('<form method="post"', '<form method="get"') : html,
  );

/** Sends the form of a label request once more before it is submitted. */
const TWICE = `<script>
const body = new URLSearchParams(new FormData(document.forms[0]));
fetch(document.forms[0].action, { method: 'POST', mode: 'no-cors', keepalive: true, body });
</script>`;

export const sendingFaults: readonly Deviation[] = [
  {
    id: 'labels.sent-by-get',
    clause: 'labels.request.posted-to-label-url',
    about: 'Label requests are sent as a GET with a query.',
    surface: 'browser',
    http: byGet('label_request_id'),
  },
  {
    id: 'checkout.sent-by-get',
    clause: 'checkout.request.posted',
    about: 'Buyers of dynamic methods are sent to the checkout page with a GET.',
    surface: 'browser',
    http: byGet('checkout_id'),
  },
  {
    id: 'checkout.address-without-query',
    clause: 'checkout.request.posted',
    about: 'The address of a checkout page loses its query when a buyer is sent there.',
    surface: 'browser',
    http: pages((html) =>
      html.includes('name="checkout_id"') ? html.replace(/(<form method="post" action="[^"?]*)\?[^"]*"/, '$1"') : html,
    ),
  },
  {
    id: 'labels.address-in-lower-case',
    clause: 'labels.request.posted-to-label-url',
    about: 'Label requests go to the label address in lower case; the interface shows it as it was set.',
    surface: 'browser',
    http: pages((html) =>
      html.includes('name="label_request_id"')
        ? html.replace(/<form method="post" action="[^"]*"/, (form) => form.toLowerCase())
        : html,
    ),
  },
  {
    id: 'labels.sent-twice',
    clause: 'labels.request.sent-once',
    about: 'A press sends the same label request twice.',
    surface: 'browser',
    http: async (request, next) => {
      const response = await next(request);
      if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response;
      const html = await response.text();
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      if (!html.includes('name="label_request_id"')) return new Response(html, { status: response.status, headers });
      // The policy of the pages allows no other script.
      headers.delete('content-security-policy');
      return new Response(html.replace('<script>', `${TWICE}<script>`), { status: response.status, headers });
    },
  },
  {
    id: 'checkout.address-of-store',
    clause: 'checkout.request.posted',
    about: 'Buyers of a provider’s dynamic method are sent to the checkout page of one of the store.',
    surface: 'browser',
    http: async (request, next, service) => {
      const { state } = service;
      const isOf = (kind: string, handle: string) => state.methods.get(handle)?.owner.startsWith(kind) === true;
      const [ofStore] = state.dynamicCheckouts.filter(({ handle }) => isOf('website:', handle));
      const change = pages((html) => {
        const [, handle = ''] = /name="delivery_method_handle" value="([^"]*)"/.exec(html) ?? [];
        const isProviders = html.includes('name="checkout_id"') && isOf('provider:', handle);
        return isProviders && ofStore !== undefined
          ? html.replace(/<form method="post" action="[^"]*"/, `<form method="post" action="${ofStore.checkoutUrl}"`)
          : html;
      });
      return change(request, next, service);
    },
  },
];
