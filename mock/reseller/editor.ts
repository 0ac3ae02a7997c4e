/** The website editor behind one-time login links. */

import { refuse } from '../http/refusal.ts';
import { timestamp } from '../state/clock.ts';
import type { Website } from '../state/state.ts';
import type { MockService } from '../types/service.ts';

/** Creates a one-time link for a website. Call it inside `change`. */
export function loginUrlFor(service: MockService, website: Website): string {
  const token = service.rules.newLoginToken(service.random);
  service.state.loginLinks.set(token, {
    token,
    websiteId: website.id,
    used: false,
    createdMs: service.now().getTime(),
  });
  return `${service.origin}/login/${token}`;
}

/** Opens the editor with a link, which can be used once. Refuses an unknown, used or expired link. */
export function openEditor(service: MockService, token: string): Website {
  const { rules, state } = service;
  return service.change(() => {
    const link = state.loginLinks.get(token);
    if (!link) return refuse('not-found', 'There is no such login link.');
    if (!rules.loginLinkUsable(link, service.now().getTime())) {
      return refuse('gone', 'This login link has been used or is too old: ask for another one.');
    }
    const website = state.websites.get(String(link.websiteId));
    if (!website) return refuse('not-found', 'The website of this link no longer exists.');
    state.loginLinks.set(token, rules.loginLinkAfterUse(link));
    return state.websites.patch(String(website.id), { accessed: timestamp(service.now()) });
  });
}
