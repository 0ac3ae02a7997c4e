/** How faulty software around a label page adds its delivery method and uploads its pickup points. */
import { examplesOver } from '../../support/example.ts';
import Uploader, { NightlyUploader } from '../upload.ts';

const once = examplesOver(Uploader, {
  'label.upload.country-by-name': {
    clauses: ['provider.calls.country-codes'],
    about: 'Countries are sent by name.',
    change: (correct) => ({ points: () => correct.points().map((point) => ({ ...point, country: 'Latvia' })) }),
  },
  'label.upload.every-portion-finalizes': {
    clauses: ['provider.calls.earlier-portions-open'],
    about: 'Each portion finishes the list.',
    change: (correct) => ({
      portions: (points) => correct.portions(points).map((portion) => ({ ...portion, is_finalization: true })),
    }),
  },
  'label.upload.every-portion-initializes': {
    clauses: ['provider.calls.later-portions-continue'],
    about: 'Each portion starts a new list.',
    change: (correct) => ({
      portions: (points) => correct.portions(points).map((portion) => ({ ...portion, is_initialization: true })),
    }),
  },
  'label.upload.first-portion-continues': {
    clauses: ['provider.calls.first-portion-initializes'],
    about: 'The first portion does not start a list.',
    change: (correct) => ({
      portions: (points) =>
        correct.portions(points).map((portion, at) => (at === 0 ? { ...portion, is_initialization: false } : portion)),
    }),
  },
  'label.upload.ids-shared-by-countries': {
    clauses: ['provider.calls.point-ids-unique'],
    about: 'The list of a second country uses the ids of the first one.',
    // Both uploads are correct.
    change: (correct) => ({
      upload: async () => {
        await correct.upload();
        const handle = await correct.method();
        if (handle === null) return;
        const points = correct.points().slice(0, 3);
        const [portion] = correct.portions(points.map((point) => ({ ...point, country: 'EE' })));
        await correct.uploadPortion(handle, { ...portion, country: 'EE' });
      },
    }),
  },
  'label.upload.key-in-address': {
    clauses: ['provider.calls.authorization-header'],
    about: 'The key is in the query of each call as well, where logs keep it.',
    change: (correct) => ({
      call: (method, path, body) => {
        const query = new URLSearchParams({ api_key: correct.settings.apiKey });
        return correct.call(method, `${path}${path.includes('?') ? '&' : '?'}${query}`, body);
      },
    }),
  },
  'label.upload.label-url-http': {
    clauses: ['provider.label.https'],
    about: 'The method is given a label address that is not https.',
    // The page under test is another one.
    change: (correct) => ({
      newMethod: () => {
        const { delivery_method: method } = correct.newMethod() as { delivery_method: object };
        return { delivery_method: { ...method, print_label_url: 'http://labels.parcels.example/label' } };
      },
    }),
  },
  'label.upload.final-portion-not-final': {
    clauses: ['provider.calls.last-portion-finalizes'],
    about: 'The last portion does not finish the list.',
    change: (correct) => ({
      portions: (points) =>
        correct
          .portions(points)
          .map((portion, at, { length }) => (at === length - 1 ? { ...portion, is_finalization: false } : portion)),
    }),
  },
  'label.upload.list-by-country': {
    clauses: ['provider.calls.list-sent'],
    about: 'The points of a call are sent as an object by country instead of an array.',
    // Sizes and flags are correct.
    change: (correct) => ({
      portions: (points) =>
        correct.portions(points).map((portion) => ({ ...portion, pickup_points: { LV: points.slice(0, 1) } })),
    }),
  },
  'label.upload.method-unwrapped': {
    clauses: ['provider.calls.wrapped-bodies'],
    about: 'The fields of a new method are sent without delivery_method around them.',
    // The fields are correct.
    change: (correct) => ({ newMethod: () => (correct.newMethod() as { delivery_method: object }).delivery_method }),
  },
  'label.upload.name-sent': {
    clauses: ['provider.calls.name-not-sent'],
    about: 'A new method is sent with the name, which is read-only.',
    change: (correct) => ({
      newMethod: () => {
        const { delivery_method: method } = correct.newMethod() as { delivery_method: object };
        return { delivery_method: { ...method, name: 'Example lockers' } };
      },
    }),
  },
  'label.upload.pages-counted': {
    clauses: ['provider.calls.known-operations'],
    about: 'The points are read back by page numbers of its own instead of the link to the next page.',
    // The upload is correct.
    change: (correct) => ({
      upload: async () => {
        await correct.upload();
        const handle = await correct.method();
        for (const page of [1, 2, 3])
          await correct.call('GET', `store/delivery_method/${handle}/pickup_points/?page_size=100&page=${page}`);
      },
    }),
  },
  'label.upload.point-added-twice': {
    clauses: ['provider.calls.point-ids-unique'],
    about: 'A point is added under an id that the method has already.',
    // The upload is correct.
    change: (correct) => ({
      upload: async () => {
        await correct.upload();
        const handle = await correct.method();
        await correct.call('POST', `store/delivery_method/${handle}/pickup_point/`, {
          pickup_point: correct.points()[0],
        });
      },
    }),
  },
  'label.upload.portions-of-150': {
    clauses: ['provider.calls.portion-size'],
    about: '150 points are uploaded in a call.',
    // The flags of the portions are correct.
    change: () => ({ portionSize: () => 150 }),
  },
  'label.upload.repeated-id': {
    clauses: ['provider.calls.ids-unique'],
    about: 'Two points of the uploaded list have the same id.',
    // All others have ids of their own.
    change: (correct) => ({
      points: () => {
        const [first, ...rest] = correct.points();
        return [first!, ...rest.slice(0, -1), { ...rest.at(-1)!, id: first!.id }];
      },
    }),
  },
  'label.upload.title-as-number': {
    clauses: ['provider.calls.texts'],
    about: 'A multilanguage text contains a number.',
    change: (correct) => ({
      points: () => correct.points().map((point) => ({ ...point, title: { en: point.id, lv: 7 } })),
    }),
  },
  'label.upload.unknown-language': {
    clauses: ['provider.calls.languages'],
    about: 'Texts are sent in a language that no website has.',
    change: (correct) => ({
      points: () => correct.points().map((point) => ({ ...point, title: { en: point.id, tlh: 'jI' } })),
    }),
  },
  'label.upload.pages-beside-the-base': {
    clauses: ['provider.calls.known-operations'],
    about:
      'A link to the next page that lacks the version is requested at the root of the host instead of behind the base.',
    // The upload is correct, and so is the first page.
    change: (correct) => ({
      upload: async () => {
        await correct.upload();
        const handle = await correct.method();
        const path = `store/delivery_method/${handle}/pickup_points/?page_size=100`;
        await correct.call('GET', path);
        await correct.call('GET', `../${path}`);
      },
    }),
  },
  'label.upload.other-version': {
    clauses: ['provider.calls.known-operations'],
    about: 'The methods are listed under the prefix of a version that does not exist.',
    // The upload is correct.
    change: (correct) => ({
      upload: async () => {
        await correct.upload();
        await correct.call('GET', '../v2/store/delivery_methods/');
      },
    }),
  },
  'label.upload.unknown-operation': {
    clauses: ['provider.calls.known-operations'],
    about: 'The points are uploaded to an operation that the interface does not have.',
    // What is sent is correct.
    change: (correct) => ({
      uploadPortion: (handle, portion) =>
        correct.call('POST', `store/delivery_method/${handle}/pickup_points/replace_all/`, portion),
    }),
  },
  'label.upload.zip-as-number': {
    clauses: ['provider.calls.field-types'],
    about: 'Postal codes are sent as numbers.',
    change: (correct) => ({ points: () => correct.points().map((point) => ({ ...point, zip: 1010 })) }),
  },
});

const nightly = examplesOver(NightlyUploader, {
  'label.upload.failed-portion-initializes': {
    clauses: ['provider.calls.later-portions-continue'],
    about: 'A nightly upload sends a portion that the service did not take again with is_initialization true.',
    change: (correct) => ({
      uploadPortion: async (handle, portion) =>
        (await correct.uploadPortion(handle, portion)) ??
        correct.uploadPortion(handle, { ...portion, is_initialization: true }),
    }),
  },
  'label.upload.failed-portion-skipped': {
    clauses: ['provider.calls.failed-portion-sent-again'],
    about:
      'A nightly upload ignores that the service did not take a portion, and finishes the list without its points.',
    change: () => ({ maxAttempts: () => 1, endsWithout: async () => false }),
  },
});

export default [...once, ...nightly];
