/** The service's self-signed certificate as a file that the integration can be set to trust. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Writes it beside the project's other private files; the caller removes it when the precheck ends. */
export function certificateFile({ certificate }: { readonly certificate: string | undefined }): string | undefined {
  if (certificate === undefined) return undefined;
  const file = resolve('.proofmark', `precheck-${process.pid}.pem`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, certificate, { mode: 0o600 });
  return file;
}
