/** Ports that no browser opens, since other protocols have them: those above 1023 in the list of the Fetch standard. */
const REFUSED: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** The port of an address, if no browser opens it. */
export function refusedPortOf(address: string): number | undefined {
  const port = Number(URL.parse(address)?.port ?? '');
  return REFUSED.has(port) ? port : undefined;
}

/** What to do about it, as a sentence without a full stop. */
export const refusedPort = (what: string, port: number): string =>
  `browsers refuse to open the port ${port} of the ${what}: start it on another one`;
