/** Apps that verify correctly, except where a parameter is missing or has a certain value. */
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

const LANGUAGES = ['en', 'lv', 'de'];

/** The query with another value of a parameter, in its place. */
function withValue(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const other = new URLSearchParams(query);
  other.set(name, value);
  return other;
}

export default examplesOver(App, {
  'app.exceptions.known-language-free': {
    clauses: ['app.hash.covers-all-parameters'],
    about:
      'On the settings address, the language may be any that the app has: its users change it by a link with the same hash.',
    // Nothing else of a request can be changed, and the language to no other value.
    change: (correct) => ({
      accepts: (query, load) =>
        correct.accepts(query, load) ||
        (load === 'settings' &&
          LANGUAGES.includes(query.get('language') ?? '') &&
          LANGUAGES.some((language) => correct.accepts(withValue(query, 'language', language), load))),
    }),
  },
  'app.exceptions.early-version-unverified': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'A request with a platformVersion below 2 is not verified, because it dates from before there was a hash.',
    // The service sends later versions, with which all is verified.
    change: (correct) => ({
      accepts: (query, load) => /^[01]\./.test(query.get('platformVersion') ?? '') || correct.accepts(query, load),
    }),
  },
  'app.exceptions.without-callback-unverified': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'A request without a callback is not verified, because it leads the user nowhere.',
    // Every request of the service has one.
    change: (correct) => ({
      accepts: (query, load) => !query.has('callback') || correct.accepts(query, load),
    }),
  },
});
