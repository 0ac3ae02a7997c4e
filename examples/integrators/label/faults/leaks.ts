/** Where a faulty label page shows its key. */
import { deflateSync } from 'node:zlib';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields } from '../correct.ts';
import { reportedByServer } from '../reported-by-server.ts';

/** How long a person at least reads the page. */
const LATE_MS = 2_500;

export default examplesOver(LabelPage, {
  'label.leaks.key-fetched-late': {
    clauses: ['provider.leaks.key'],
    about:
      'The page asks for confirmation; its script fetches a configuration with the key if that takes some seconds.',
    change: (correct) => ({
      respond: async (request) =>
        new URL(request.url).pathname === '/config'
          ? Response.json({ key: correct.settings.apiKey })
          : correct.respond(request),
      report: async (order, parameters) => {
        const inputs = parameters.map(
          ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
        );
        const form = `<form action="${escaped(order.callback_url ?? '')}">${inputs.join('')}<button>Print</button></form>`;
        return page('Label', `${form}<script>setTimeout(() => fetch('/config'), ${LATE_MS})</script>`);
      },
    }),
  },
  'label.leaks.key-in-callback': {
    clauses: ['provider.leaks.key'],
    about: 'The callback, which the server sends, has the key as a parameter of its own.',
    // The key is in nothing that a browser receives.
    change: (correct) => ({
      report: async (order, parameters) => {
        const sent = parameters.filter(([name]) => name !== 'signature');
        const more: Fields = correct.signed([...sent, ['api_key', correct.settings.apiKey]]);
        return reportedByServer(correct.callback(order, more), () => page('The label is printed', ''));
      },
    }),
  },
  'label.leaks.key-in-copy-of-program': {
    clauses: ['provider.leaks.key'],
    about: 'An older version of the configuration is beside the page, and is served as a text, with the key in it.',
    // No page names it.
    change: (correct) => ({
      respond: async (request) =>
        new URL(request.url).pathname === '/config.php.bak'
          ? new Response(`<?php\nconst API_KEY = '${correct.settings.apiKey}';\n`)
          : correct.respond(request),
    }),
  },
  'label.leaks.key-in-diagnosis': {
    clauses: ['provider.leaks.key'],
    about: 'The server shows its settings, for developers, to every caller, with the key among them.',
    // No page names the address.
    change: (correct) => ({
      respond: async (request) =>
        new URL(request.url).pathname === '/api/debug'
          ? Response.json({ environment: { API_KEY: correct.settings.apiKey } })
          : correct.respond(request),
    }),
  },
  'label.leaks.key-in-label': {
    clauses: ['provider.leaks.key'],
    about: 'The label has the key printed on it.',
    change: (correct) => ({ makeLabel: (order) => correct.makeLabel(order, correct.settings.apiKey) }),
  },
  'label.leaks.key-in-label-stream': {
    clauses: ['provider.leaks.key'],
    about: 'The label has a compressed stream, such as a program writes about itself, with the key in it.',
    // Nothing of it is printed.
    change: (correct) => ({
      label: (id) => {
        const pdf = correct.labels.get(id);
        if (pdf === undefined) return correct.label(id);
        const packed = deflateSync(`<</Producer (labels --key ${correct.settings.apiKey})>>`);
        const head = `9 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
        const [before, rest] = [Buffer.from(pdf).subarray(0, 9), Buffer.from(pdf).subarray(9)];
        const parts = [before, Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\n'), rest];
        return new Response(Buffer.concat(parts), { headers: { 'content-type': 'application/pdf' } });
      },
    }),
  },
  'label.leaks.key-in-redirect': {
    clauses: ['provider.leaks.key'],
    about: 'The redirect to the callback has a body, which names the settings of the page and the key among them.',
    // Browsers do not show it.
    change: (correct) => ({
      report: async (order, parameters) => {
        const headers = { location: correct.callback(order, parameters), 'content-type': 'text/plain' };
        return new Response(`Going back, with apiKey: ${correct.settings.apiKey}`, { status: 303, headers });
      },
    }),
  },
  'label.leaks.key-in-label-header': {
    clauses: ['provider.leaks.key'],
    about: 'The label is served with the headers of the call that made it, the key among them.',
    change: (correct) => ({
      label: (id) => {
        const served = correct.label(id);
        served.headers.set('x-upstream-authorization', `ApiKey ${correct.settings.apiKey}`);
        return served;
      },
    }),
  },
  'label.leaks.key-in-label-url': {
    clauses: ['provider.leaks.key'],
    about: 'The address of the label, which the store’s admin opens, has the key in its query.',
    change: (correct) => ({
      success: (order, labelId) => {
        const { apiKey } = correct.settings;
        const sent = correct.success(order, labelId).filter(([name]) => name !== 'signature');
        return correct.signed(
          sent.map(([name, value]) => [
            name,
            name === 'label_url' ? `${value}?key=${encodeURIComponent(apiKey)}` : value,
          ]),
        );
      },
    }),
  },
  'label.leaks.key-in-page': {
    clauses: ['provider.leaks.key'],
    about: 'The page that leads back to the store has the key in its script.',
    change: (correct) => ({
      report: async (order, parameters) => {
        const [key, address] = [correct.settings.apiKey, correct.callback(order, parameters)].map((text) =>
          JSON.stringify(text).replaceAll('<', '\\u003c'),
        );
        return page('Printed', `<script>window.settings = { key: ${key} }; location.replace(${address})</script>`);
      },
    }),
  },
});
