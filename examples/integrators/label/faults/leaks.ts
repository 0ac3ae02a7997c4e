/** Where a faulty label page shows its key. */
import { examplesOver } from '../../support/example.ts';
import { page } from '../../support/http.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
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
