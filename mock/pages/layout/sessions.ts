/**
 * Who is signed in, per area of the pages. A session is a signed cookie that names its subject (a website, an account),
 * so the service keeps no list of them and nothing grows; they end when the service does. Cookies are HttpOnly, sent to
 * this site only, and named after the port: browsers share cookies between the ports of one host.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { MockService } from '../../types/service.ts';

/** store: store admin, catalog and checkout; portal: a developer's account; editor: the website editor. */
export type SessionArea = 'store' | 'portal' | 'editor';

const secrets = new WeakMap<MockService, Buffer>();

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Whether two secrets are equal, in constant time. The rules have a comparison of their own, which faults may change: a fault
 * of an interface must not affect the sessions of pages.
 */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function secretOf(service: MockService): Buffer {
  const known = secrets.get(service);
  if (known) return known;
  const made = randomBytes(32);
  secrets.set(service, made);
  return made;
}

function seal(service: MockService, area: SessionArea, subject: string): string {
  return createHmac('sha256', secretOf(service)).update(`${area}\n${subject}`).digest('base64url');
}

function cookieName(service: MockService, area: SessionArea): string {
  const { port, protocol } = new URL(service.pagesOrigin);
  return `proofmark_${area}_${port || protocol.replace(':', '')}`;
}

/** Signs a subject in: the next pages of this browser are its own. */
export function openSession(c: Context, service: MockService, area: SessionArea, subject: string): void {
  const value = `${Buffer.from(subject).toString('base64url')}.${seal(service, area, subject)}`;
  setCookie(c, cookieName(service, area), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: service.pagesOrigin.startsWith('https:'),
  });
}

/** The subject that is signed in, or null. A cookie that this service did not sign is ignored. */
export function sessionOf(c: Context, service: MockService, area: SessionArea): string | null {
  const [encoded, given] = (getCookie(c, cookieName(service, area)) ?? '').split('.');
  if (!encoded || !given) return null;
  const subject = Buffer.from(encoded, 'base64url').toString();
  return sameSecret(given, seal(service, area, subject)) ? subject : null;
}

/** Signs out. */
export function closeSession(c: Context, service: MockService, area: SessionArea): void {
  setCookie(c, cookieName(service, area), '', { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 0 });
}
