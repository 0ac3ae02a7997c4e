/** Portman's collections, run by Newman: made once for each document, because the addresses stay the same. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../processes.ts';
import { CALLS, documentedId } from './calls.ts';
import { portmanOf } from './portman.ts';
import { type GenericTool, INSTALLED, type Setting } from './tool.ts';

const PORTMAN = join(INSTALLED, '@apideck/portman/bin/portman');
const NEWMAN = join(INSTALLED, 'newman/bin/newman.js');

/** Converts both documents. */
export async function newman({ folder, documents, service, inputs }: Setting): Promise<GenericTool> {
  const filter = join(folder, 'filter.json');
  const ids = new Set(Object.values(CALLS).flat().map(documentedId));
  writeFileSync(filter, JSON.stringify({ inverseOperationIds: [...ids] }));
  const collections: string[] = [];
  for (const document of ['v1', 'api'] as const) {
    const config = join(folder, `portman-${document}.json`);
    const collection = join(folder, `collection-${document}.json`);
    writeFileSync(config, JSON.stringify(portmanOf(document, inputs)));
    const base = service[document].slice(0, -1);
    const options = ['-l', documents[document], '-b', base, '-c', config, '--filterFile', filter, '-o', collection];
    const { exitCode, stdout } = await runCommand(process.execPath, [PORTMAN, ...options], {
      // It writes a folder `tmp` where it is started.
      cwd: folder,
    });
    if (exitCode !== 0) throw new Error(`Portman did not convert ${document}: ${stdout.slice(-500)}`);
    collections.push(collection);
  }
  return {
    name: 'Portman and Newman',
    failures: async () => {
      let failures = 0;
      for (const collection of collections) {
        const report = join(folder, 'newman.json');
        const reporter = ['--reporters', 'json', '--reporter-json-export', report];
        await runCommand(process.execPath, [NEWMAN, 'run', collection, ...reporter]);
        const { run } = JSON.parse(readFileSync(report, 'utf8')) as { run: { failures: unknown[] } };
        failures += run.failures.length;
      }
      return failures;
    },
    close: () => undefined,
  };
}
