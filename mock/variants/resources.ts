/** Resources as other services write them. */

import { textIn } from '../state/state.ts';
import type { Deviation } from '../types/deviation.ts';
import type { Rules } from '../types/rules.ts';

export const resourceVariants: readonly Deviation[] = [
  {
    id: 'resources.wrapped',
    about: 'A single resource is wrapped under its own name.',
    rules: () => ({ single: (name, record) => ({ [name]: record }) }),
  },
  {
    id: 'resources.error-false',
    about: 'A single resource is returned unwrapped with error: false.',
    rules: () => ({ single: (_name, record) => ({ error: false, ...record }) }),
  },
  {
    id: 'resources.wrapped-error-false',
    about: 'A single resource is wrapped under its own name, with error: false.',
    rules: () => ({ single: (name, record) => ({ error: false, [name]: record }) }),
  },
  {
    id: 'create.silent',
    about: 'A create returns the success envelope only: the new method is found by listing.',
    rules: () => ({ methodCreated: () => ({ error: false }) }),
  },
  {
    id: 'create.resource',
    about: 'A create returns the whole new resource.',
    rules: (correct) => ({ methodCreated: (_method, rendered) => correct.single('delivery_method', rendered) }),
  },
  {
    id: 'create.wrapped-resource',
    about: 'A create returns the whole new resource under its name.',
    rules: () => ({ methodCreated: (_method, rendered) => ({ error: false, delivery_method: rendered }) }),
  },
  {
    id: 'create.wrapped-handle',
    about: 'A create returns the handle alone under the name of the resource.',
    rules: () => ({ methodCreated: (method) => ({ error: false, delivery_method: { handle: method.handle } }) }),
  },
  {
    id: 'update.resource',
    about: 'An update returns the whole changed resource.',
    rules: (correct) => ({ methodUpdated: (_method, rendered) => correct.single('delivery_method', rendered) }),
  },
  {
    id: 'missing.omitted',
    about: 'Optional values that were never set are omitted.',
    rules: (correct) => ({ renderMissing: () => undefined, ...withoutNullLabelUrl(correct) }),
  },
  {
    id: 'missing.empty-string',
    about: 'Optional values that were never set are empty strings.',
    rules: () => ({ renderMissing: () => '' }),
  },
  {
    id: 'missing.empty-list',
    about: 'Optional lists and objects that were never set are empty lists, texts are null.',
    rules: () => ({ renderMissing: (field) => (/countries|attributes/.test(field) ? [] : null) }),
  },
  {
    id: 'texts.as-objects',
    about: 'A text that was sent as a string reads back as an object with the default language.',
    rules: () => ({ renderText: (text, site) => (typeof text === 'string' ? { [site.defaultLanguage]: text } : text) }),
  },
  {
    id: 'texts.object-replaces',
    about: 'An update with an object replaces the whole text: languages that it does not name are removed.',
    rules: (correct) => ({
      mergeText: (before, sent, site) => (typeof sent === 'object' ? sent : correct.mergeText(before, sent, site)),
    }),
  },
  {
    id: 'texts.default-language-as-fallback',
    about: 'A text reads back in every language of the website; missing ones have the text of the default language.',
    rules: () => ({
      renderText: (text, site) =>
        Object.fromEntries(site.languages.map((language) => [language, textIn(text, language, site)])),
    }),
  },
  {
    id: 'names.follow-titles',
    about: 'The name of a method follows its title in the default language.',
    rules: (correct) => ({
      renderMethod: (method, site) => ({
        ...correct.renderMethod(method, site),
        name: correct.methodName(method.handle, method.title, site),
      }),
      labelFields: (context) => {
        const { method, provider, website } = context;
        const name = correct.methodName(method.handle, method.title, provider ?? website);
        return correct.labelFields({ ...context, method: { ...method, name } });
      },
    }),
  },
  {
    id: 'handles.uuid',
    about: 'Handles are UUIDs in upper case.',
    rules: () => ({
      newHandle: (random) =>
        random(16)
          .toString('hex')
          .toUpperCase()
          .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'),
    }),
  },
  {
    id: 'handles.numeric',
    about: 'Handles are numbers, written as strings.',
    rules: () => ({ newHandle: (random) => String(random(6).readUIntBE(0, 6)) }),
  },
  {
    id: 'countries.lower-case',
    about: 'Country codes read back in lower case.',
    rules: (correct) => ({
      renderMethod: (method, site) =>
        correct.renderMethod(
          {
            ...method,
            available_countries_from: lower(method.available_countries_from),
            available_countries_to: lower(method.available_countries_to),
          },
          site,
        ),
      renderPoint: (point, site) =>
        correct.renderPoint({ ...point, country: point.country?.toLowerCase() ?? null }, site),
    }),
  },
  {
    id: 'fields.unknown-extra',
    about: 'Responses and resources contain fields that are not in the contract, some of them different each time.',
    rules: (correct) => {
      let served = 0;
      const extra = () => ({ servedAs: ++served, links: { self: null } });
      return {
        finish: (call, response) =>
          correct.finish(call, {
            ...response,
            body: { ...response.body, request_id: `r-${++served}`, meta: { took_ms: served % 7, tags: [] } },
          }),
        renderMethod: (method, site) => ({ ...correct.renderMethod(method, site), id: 17, ...extra() }),
        renderPoint: (point, site) => ({
          ...correct.renderPoint(point, site),
          geo: { lat: 56.9, lng: 24.1 },
          updated: null,
          ...extra(),
        }),
        websiteRecord: (website) => ({ ...correct.websiteRecord(website), websitePlan: 'starter', ...extra() }),
        domainRecord: (domain) => ({ ...correct.domainRecord(domain), isPrimary: false, ...extra() }),
        userRecord: (website) => ({ ...correct.userRecord(website), name: 'Somebody', ...extra() }),
      };
    },
  },
  {
    id: 'apps.missing-null',
    about: 'A snippet that was never set is null, data that was never set is the empty string.',
    rules: (correct) => ({
      snippetRead: (installation, language) => correct.snippetRead(installation, language) || null,
      dataRead: (installation) => installation.data ?? '',
    }),
  },
  {
    id: 'apps.snippet-falls-back',
    about: 'Reading an empty snippet for a language returns the one for all pages.',
    rules: (correct) => ({
      snippetRead: (installation, language) =>
        correct.snippetRead(installation, language) || correct.snippetRead(installation, null),
    }),
  },
];

const lower = (codes: readonly string[] | null): readonly string[] | null =>
  codes?.map((code) => code.toLowerCase()) ?? null;

/** By the contract print_label_url is null, not missing; omitting null values is allowed anyway. */
function withoutNullLabelUrl(correct: Rules): Partial<Rules> {
  return {
    renderMethod: (method, site) =>
      Object.fromEntries(Object.entries(correct.renderMethod(method, site)).filter(([, value]) => value !== null)),
  };
}
