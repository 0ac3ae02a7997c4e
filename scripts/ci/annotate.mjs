// Prints the failed, undecided and harmful checks of a results.json as annotations of GitHub Actions: node annotate.mjs RESULTS.json
import { readFileSync } from 'node:fs';

/** GitHub shows ten annotations of a kind for a step. */
const SHOWN_OF_A_KIND = 10;
const LEVELS = { fail: 'error', error: 'error', warn: 'warning', inconclusive: 'notice' };

// What a target sent may stand in these texts: nothing in them may begin or end a command.
const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** One line for each check that deserves one. */
export function annotationsOf({ checks }) {
  return Object.entries(LEVELS).flatMap(([verdict, level]) =>
    checks
      .filter((check) => check.verdict === verdict)
      .slice(0, SHOWN_OF_A_KIND)
      .map(({ id, title, reason, expected, actual }) => {
        const parts = [
          ...(reason === undefined || reason === null ? [] : [shown(reason)]),
          ...(expected === undefined || expected === null ? [] : [`expected: ${shown(expected)}`]),
          ...(actual === undefined || actual === null ? [] : [`actual: ${shown(actual)}`]),
        ];
        return `::${level} title=${property(`${id} ${title}`)}::${data(parts.join('\n') || verdict)}`;
      }),
  );
}

if (import.meta.filename === process.argv[1]) {
  for (const line of annotationsOf(JSON.parse(readFileSync(process.argv[2], 'utf8')))) console.log(line);
}
