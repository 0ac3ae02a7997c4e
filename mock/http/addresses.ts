/** The addresses at which an integrator may host a page (spec: HTTPS is mandatory for those pages). */

/** https anywhere; plain http only on this machine. */
export function isHostedAddress(text: string): boolean {
  const url = parsed(text);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
}

/** Whether a text is a full address of http or https. */
export function isWebAddress(text: string): boolean {
  const url = parsed(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

function parsed(text: string): URL | null {
  return /^https?:\/\/[^/\s]/i.test(text) ? URL.parse(text) : null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
