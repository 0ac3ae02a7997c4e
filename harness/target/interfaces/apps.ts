/** The Apps interface as calls (section "B. Apps endpoints"), made for one installation. */
import type { ServiceRequest } from '../client/request.ts';
import { headersOf, segment } from '../network/wire.ts';
import type { Secret } from '../secrets/secret.ts';

export class Apps {
  readonly key: Secret;
  readonly authCode: Secret;

  constructor(key: Secret, authCode: Secret) {
    this.key = key;
    this.authCode = authCode;
  }

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

  installed(): ServiceRequest {
    return this.call('POST', 'apps/installed/');
  }
  delete(): ServiceRequest {
    return this.call('POST', 'apps/delete/');
  }
  setSnippet(snippet: unknown, language?: string): ServiceRequest {
    return this.call('POST', 'apps/set_snippet/', { snippet, ...(language === undefined ? {} : { language }) });
  }
  getSnippet(language?: string): ServiceRequest {
    return this.call('GET', language === undefined ? 'apps/get_snippet/' : `apps/get_snippet/${segment(language)}/`);
  }
  setData(data: unknown): ServiceRequest {
    return this.call('POST', 'apps/set_data/', { data });
  }
  getData(): ServiceRequest {
    return this.call('GET', 'apps/get_data/');
  }
  user(): ServiceRequest {
    return this.call('GET', 'apps/user/');
  }
  website(): ServiceRequest {
    return this.call('GET', 'apps/website/');
  }
  languages(): ServiceRequest {
    return this.call('GET', 'apps/languages/');
  }
}
