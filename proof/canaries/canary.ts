/** For the tests of leaks: the files that a command wrote, and every place in them that contains a secret in any form. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { TRACES_FOLDER } from '../../contracts/run/events.ts';

/** The files below a folder by path, including hidden ones: the ledger is in `.proofmark`. */
export function filesBelow(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The texts to search, by place: each file byte for byte; of a trace each of its entries, too, and their names. */
export function placesOf(files: readonly string[]): Map<string, string> {
  const places = new Map(files.map((file) => [file, readFileSync(file, 'latin1')]));
  for (const file of tracesAmong(files))
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(file))))
      places.set(`${file}: ${name}`, `${name} ${Buffer.from(bytes).toString('latin1')}`);
  return places;
}

/** The Playwright traces that a command kept. */
export const tracesAmong = (files: readonly string[]): string[] =>
  files.filter((file) => basename(dirname(file)) === TRACES_FOLDER && file.endsWith('.zip'));

/** Every place that contains a secret, and in which form. The result shows no secret in full. */
export function leaksIn(places: ReadonlyMap<string, string>, secrets: readonly string[]): string[] {
  const found = secrets.flatMap((secret) =>
    formsOf(secret).flatMap((form) =>
      [...places]
        .filter(([, text]) => text.includes(Buffer.from(form).toString('latin1')))
        .map(([where]) => `${where}: ${secret.slice(0, 4)}… as ${form.slice(0, 4)}…`),
    ),
  );
  return [...new Set(found)];
}

/** The forms in which a file could contain a secret: plain, escaped, encoded. */
function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const bytes = Buffer.from(secret);
  // Base64 of a text inside another text begins at one of three offsets; the characters at both ends are left out.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(offset === 0 ? 0 : offset + 1, -2);
  });
  return [
    secret,
    url,
    url.toLowerCase(),
    encodeURIComponent(url),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
}
