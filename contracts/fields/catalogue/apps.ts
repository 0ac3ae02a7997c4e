/** Fields of the records that an app reads (spec: Resources and their fields, App records (B)). */
import type { components } from '../../generated/v1.generated.ts';
import type { Fields } from './row.ts';

type Schemas = components['schemas'];

export const USER = {
  email: { kind: 'email', form: 'apps.user.email' },
  email_confirmed: { kind: 'boolean', form: 'apps.user.email-confirmed' },
} as const satisfies Fields<keyof Schemas['User']>;

export const WEBSITE = {
  url: { kind: 'address', form: 'apps.website.url' },
  brandname: { kind: 'text', form: 'apps.website.brandname' },
} as const satisfies Fields<keyof Schemas['Website']>;

export const LANGUAGES = { languages: { kind: 'languages', form: 'apps.languages.array' } } as const satisfies Fields;
