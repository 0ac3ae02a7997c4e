import type { ServiceResponse } from '../../../../harness/target/client/types.ts';

/** A page of the website in one of its languages, as it was served or as its scripts have filled it. */
export interface PublicPage {
  readonly language: string;
  readonly html: string;
  readonly response: ServiceResponse;
}
