/** Apps that verify correctly, and accept a hash that is made by another formula besides, as an earlier version of them did. */
import { createHash, createHmac } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

/** Accepts what is hashed correctly, and what has the hash that is made of the rest of the query in another way. */
const besides = (correct: App, made: (text: string, rest: URLSearchParams) => string): Pick<App, 'accepts'> => ({
  accepts: (query, load) => {
    const rest = new URLSearchParams(query);
    rest.delete('hash');
    const received = query.get('hash') ?? '';
    return correct.accepts(query, load) || correct.matches(received, made(correct.hashed(query), rest));
  },
});

export default examplesOver(App, {
  'app.formulas.capitals-too': {
    clauses: ['app.hash.exact'],
    about: 'The hash in capital digits is also accepted; one in mixed case is not.',
    change: (correct) => besides(correct, (text) => correct.hash(text).toUpperCase()),
  },
  'app.formulas.secret-behind-too': {
    clauses: ['app.hash.exact'],
    about: 'A plain SHA-1 of the parameters followed by the secret is also accepted.',
    change: (correct) =>
      besides(correct, (text) =>
        createHash('sha1')
          .update(text + correct.settings.appSecret)
          .digest('hex'),
      ),
  },
  'app.formulas.reversed-too': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'A hash of the parameters in reverse order is also accepted.',
    change: (correct) =>
      besides(correct, (_text, rest) => correct.hash(new URLSearchParams([...rest].reverse()).toString())),
  },
  'app.formulas.language-in-lower-case-too': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again with the language in small letters.',
    change: (correct) =>
      besides(correct, (_text, rest) => {
        rest.set('language', rest.get('language')?.toLowerCase() ?? '');
        return correct.hash(rest.toString());
      }),
  },
  'app.formulas.line-separated-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash of the parameters in lines of their own is also accepted.',
    change: (correct) =>
      besides(correct, (_text, rest) => correct.hash([...rest].map(([name, value]) => `${name}=${value}`).join('\n'))),
  },
  'app.formulas.address-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash of the path and the query is also accepted.',
    change: (correct) => besides(correct, (text) => correct.hash(`/install?${text}`)),
  },
  'app.formulas.decoded-secret-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash under the SHA-256 of the secret is also accepted.',
    change: (correct) =>
      besides(correct, (text) =>
        createHmac('sha256', createHash('sha256').update(correct.settings.appSecret).digest())
          .update(text)
          .digest('hex'),
      ),
  },
  'app.formulas.code-alone-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash of the authCode alone is also accepted.',
    change: (correct) => besides(correct, (_text, rest) => correct.hash(rest.get('authCode') ?? 'none')),
  },
  'app.formulas.code-and-app-too': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If there is an authCode, a hash of the parameters but language and platformVersion is also accepted.',
    change: (correct) =>
      besides(correct, (_text, rest) => {
        if (!rest.has('authCode')) return 'none';
        rest.delete('language');
        rest.delete('platformVersion');
        return correct.hash(rest.toString());
      }),
  },
  'app.formulas.secret-with-bar-too': {
    clauses: ['app.hash.exact'],
    about: 'A plain MD5 of the secret, a vertical bar and the parameters is also accepted.',
    change: (correct) =>
      besides(correct, (text) => createHash('md5').update(`${correct.settings.appSecret}|${text}`).digest('hex')),
  },
  'app.formulas.names-with-colons-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash of names and values with colons between them, separated by commas, is also accepted.',
    change: (correct) =>
      besides(correct, (_text, rest) => correct.hash([...rest].map(([name, value]) => `${name}:${value}`).join(','))),
  },
});
