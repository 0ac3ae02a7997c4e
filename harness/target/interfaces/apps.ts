/** The Apps interface as calls (section "B. Apps endpoints"), made for one installation. */
import { OPERATIONS, type OperationsOf, type ParametersOf, pathOf } from '../../../contracts/operations/index.ts';
import type { ServiceRequest } from '../client/request.ts';
import { headersOf, segment } from '../network/wire.ts';
import type { Secret } from '../secrets/secret.ts';

/** One method for each operation: one that is missing does not compile. */
export class Apps implements Record<OperationsOf<'apps'>, (...args: never[]) => ServiceRequest> {
  readonly key: Secret;
  readonly authCode: Secret;

  constructor(key: Secret, authCode: Secret) {
    this.key = key;
    this.authCode = authCode;
  }

  /** An operation by its name in the documents; values of its path are encoded already. */
  operation<Id extends OperationsOf<'apps'>>(
    id: Id,
    values: Readonly<Record<ParametersOf<Id>, string>>,
    json?: unknown,
  ): ServiceRequest {
    return this.call(OPERATIONS[id].methods[0], pathOf(id, values), json);
  }

  /** Any request for this installation, also one that the contract does not list. */
  call(method: string, path: string, json?: unknown): ServiceRequest {
    return {
      api: 'v1',
      method,
      path,
      query: [['authCode', this.authCode]],
      headers: headersOf(this.key),
      ...(json === undefined ? {} : { body: { json } }),
    };
  }

  finishInstallation(): ServiceRequest {
    return this.operation('finishInstallation', {});
  }
  uninstallApp(): ServiceRequest {
    return this.operation('uninstallApp', {});
  }
  setSnippet(snippet: unknown, language?: string): ServiceRequest {
    return this.operation('setSnippet', {}, { snippet, ...(language === undefined ? {} : { language }) });
  }
  getSnippet(): ServiceRequest {
    return this.operation('getSnippet', {});
  }
  getLanguageSnippet(language: string): ServiceRequest {
    return this.operation('getLanguageSnippet', { language: segment(language) });
  }
  /** The call that reads the snippet for a language, or the one of all languages. */
  snippetIn(language: string | undefined): ServiceRequest {
    return language === undefined ? this.getSnippet() : this.getLanguageSnippet(language);
  }
  setData(data: unknown): ServiceRequest {
    return this.operation('setData', {}, { data });
  }
  getData(): ServiceRequest {
    return this.operation('getData', {});
  }
  getUser(): ServiceRequest {
    return this.operation('getUser', {});
  }
  getWebsite(): ServiceRequest {
    return this.operation('getWebsite', {});
  }
  getLanguages(): ServiceRequest {
    return this.operation('getLanguages', {});
  }
}
