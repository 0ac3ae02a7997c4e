/** Where a faulty label page shows its key. */
import { examplesOver } from '../../support/example.ts';
import { page } from '../../support/http.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
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
