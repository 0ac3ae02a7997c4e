/** A line of `--list`: id, title, and where the check is written. */
export const listLine = ({
  id,
  title,
  source,
}: {
  readonly id: string;
  readonly title: string;
  readonly source?: string;
}): string => `${id.padEnd(60)} ${title}${source === undefined ? '' : `  ${source}`}`;
