/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of all timestamps in website records. */
export function timestamp(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
