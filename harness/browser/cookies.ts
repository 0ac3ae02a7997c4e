/** The cookies of one visitor, as a browser keeps and sends them. A new one has none. */
import type { Cookie, CookieJar } from 'tough-cookie';

type Headers = ReadonlyArray<readonly [name: string, value: string]>;

export class Cookies {
  readonly #now: () => number;
  #jar: CookieJar | undefined;

  /** @param now Milliseconds since 1970, for cookies that end; the clock by default */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The header for a request to an address; empty if no cookie belongs to it. */
  async headersFor(address: string): Promise<[name: string, value: string][]> {
    const jar = await this.#opened();
    const cookies = this.#alive(await jar.getCookies(address, { expire: false, sort: true }));
    const pairs = cookies.map((cookie) => cookie.cookieString()).join('; ');
    return pairs === '' ? [] : [['Cookie', pairs]];
  }

  /** Keeps what a response from an address sets. */
  async keep(headers: Headers, address: string): Promise<void> {
    const jar = await this.#opened();
    for (const [name, value] of headers) {
      // What no header of ours can carry is not sent back either.
      const fits = name.toLowerCase() === 'set-cookie' && /^[\u0020-\u007e]+$/.test(value);
      if (fits) await jar.setCookie(value, address, { ignoreError: true });
    }
  }

  /** Names of the cookies that were set and not taken back. */
  async names(): Promise<string[]> {
    const jar = await this.#opened();
    return this.#alive(await jar.store.getAllCookies()).map(({ key }) => key);
  }

  /**
   * Host names of a staging system may be below a public suffix, or be one. Loaded when first needed: the list of suffixes is
   * large.
   */
  async #opened(): Promise<CookieJar> {
    const { CookieJar } = await import('tough-cookie');
    this.#jar ??= new CookieJar(undefined, { rejectPublicSuffixes: false, allowSpecialUseDomain: true });
    return this.#jar;
  }

  /** By the clock of the run, which a replay turns back: the jar itself knows only that of this machine. */
  #alive(cookies: readonly Cookie[]): Cookie[] {
    return cookies.filter((cookie) => (cookie.expiryTime() ?? Infinity) > this.#now());
  }
}
