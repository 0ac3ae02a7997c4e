/** Addresses of the harness's pages as a service has called them. */

/** Whether a query holds all that another says; how it is encoded is the sender's affair. */
export function holdsPairs(query: string, wanted: string): boolean {
  const found = [...new URLSearchParams(query)].map((pair) => JSON.stringify(pair));
  return [...new URLSearchParams(wanted)].every((pair) => found.includes(JSON.stringify(pair)));
}
