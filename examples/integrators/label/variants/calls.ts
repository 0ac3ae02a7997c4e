/** Correct label pages whose software calls the service in other ways than `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import LabelPage from '../correct.ts';
import Uploader, { NightlyUploader } from '../upload.ts';

export default [
  ...examplesOver(LabelPage, {
    'label.variant.settings-kept-by-store': {
      about: 'The values of the settings form are requested once for each store, and kept.',
      change: (correct) => {
        const values = new Map<string, Promise<string>>();
        const stores = new Map<string, string>();
        return {
          printLabel: async (fields) => {
            const { website_alias: store = '', order_uuid: uuid = '' } = Object.fromEntries(fields);
            if (correct.accepts(fields)) values.set(store, values.get(store) ?? correct.customerNumber(uuid));
            stores.set(uuid, store);
            return correct.printLabel(fields);
          },
          customerNumber: (orderUuid) => values.get(stores.get(orderUuid) ?? '') ?? correct.customerNumber(orderUuid),
        };
      },
    },
  }),
  ...examplesOver(Uploader, {
    'label.variant.reads-points-back': {
      about: 'The software around the page reads its uploaded points page by page, with a parameter against caches.',
      change: (correct) => ({
        upload: async () => {
          await correct.upload();
          const handle = await correct.method();
          let address: string | undefined = `store/delivery_method/${handle}/pickup_points/?page_size=60&desc=1`;
          for (let at = 0; address !== undefined; at += 1) {
            const page: Readonly<Record<string, unknown>> | null = await correct.call(
              'GET',
              `${address}&nocache=${at}`,
            );
            const next = page?.next_page_uri;
            address = typeof next === 'string' ? next.slice(next.indexOf('store/')) : undefined;
          }
        },
      }),
    },
    'label.variant.uploads-points': {
      about: 'The software around the page uploads its pickup points in portions.',
      change: () => ({ portionSize: () => 80 }),
    },
  }),
  ...examplesOver(NightlyUploader, {
    'label.variant.upload-given-up': {
      about: 'A nightly upload stops at a portion that the service does not take, and leaves its list unfinished.',
      change: () => ({ maxAttempts: () => 1 }),
    },
    'label.variant.upload-repeats-portion': {
      about:
        'The software around the page uploads its points every night, and sends a portion again that the service does not take.',
      change: () => ({}),
    },
    'label.variant.upload-restarts': {
      about: 'A nightly upload begins its list again at a portion that the service does not take.',
      change: (correct) => ({
        maxAttempts: () => 1,
        endsWithout: async (handle) => {
          await correct.uploadList(handle);
          return true;
        },
      }),
    },
  }),
];
