/** For the tests of leaks: what a command wrote below a folder, and where a secret stands in it, in whatever form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder, with their paths, hidden ones too: a ledger lies in `.proofmark`. */
export function filesBelow(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Texts to look into, by where they stand: each file byte for byte. */
export const placesOf = (files: readonly string[]): Map<string, string> =>
  new Map(files.map((file) => [file, readFileSync(file, 'latin1')]));

/** Where one of the secrets stands, in which form; each once. Neither is told whole. */
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

/** The forms in which a secret could stand in a file: as it is, escaped, encoded. */
function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const bytes = Buffer.from(secret);
  // Base64 of a text in the midst of another begins at one of three offsets; the characters at the seams are left out.
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
