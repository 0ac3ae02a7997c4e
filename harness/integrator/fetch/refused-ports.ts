/** Ports that no browser opens, since other protocols have them: those above 1023 in the list of the Fetch standard. */
const REFUSED: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Why no browser opens an address, and what to do about it, as a sentence without a full stop; undefined if browsers open its port. */
export function whyPortRefused(what: string, address: string | undefined): string | undefined {
  const port = Number(URL.parse(address ?? '')?.port ?? '');
  return REFUSED.has(port)
    ? `browsers refuse to open the port ${port} of the ${what}: start it on another one`
    : undefined;
}
