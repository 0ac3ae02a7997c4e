/** Redocly Respect: the calls as an Arazzo description; it checks status, content type and schema of each response by itself. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from '../../../contracts/operations/index.ts';
import { runCommand } from '../../processes.ts';
import { CALLS, type Call, documentedId } from './calls.ts';
import type { Documents } from './documents.ts';
import { type GenericTool, INSTALLED, type Setting } from './tool.ts';

const REDOCLY = join(INSTALLED, '@redocly/cli/bin/cli.js');

const HEADER = { name: 'Authorization', in: 'header' } as const;

/** Writes the description; each set of calls is a workflow of its own. */
export async function respect({ folder, documents, service, inputs }: Setting): Promise<GenericTool> {
  const file = join(folder, 'calls.arazzo.json');
  const log = join(folder, 'respect.json');
  writeFileSync(file, JSON.stringify(arazzoOf(documents)));
  const servers = (['v1', 'api'] as const).flatMap((name) => ['--server', `${name}=${service[name].slice(0, -1)}`]);
  const options = ['respect', file, ...servers, '--input', JSON.stringify(inputs), '--json-output', log];
  return {
    name: 'Redocly Respect',
    failures: async () => {
      rmSync(log, { force: true });
      const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { exitCode, stdout } = await runCommand(process.execPath, [REDOCLY, ...options], { env });
      const failed = Number(/Checks: .*?(\d+) failed/.exec(stdout)?.[1] ?? 0);
      return exitCode === 0 ? failed : Math.max(1, failed);
    },
    close: () => undefined,
  };
}

function arazzoOf(documents: Documents): unknown {
  return {
    arazzo: '1.0.1',
    info: { title: 'An ordinary client', version: '1' },
    sourceDescriptions: Object.entries(documents).map(([name, url]) => ({ name, url, type: 'openapi' })),
    workflows: Object.entries(CALLS).map(([workflowId, calls]) => {
      const returnedBy = new Map(
        calls.flatMap(({ id, returns = {} }) => Object.keys(returns).map((name) => [name, id])),
      );
      return { workflowId, inputs: { type: 'object' }, steps: calls.map((call) => stepOf(call, returnedBy)) };
    }),
  };
}

function stepOf(call: Call, returnedBy: ReadonlyMap<string, string>): unknown {
  const filled = (text: string): string =>
    text.replace(/^\{(\w+)\}$/, (_all, name: string) => {
      const step = returnedBy.get(name);
      return step === undefined ? `$inputs.${name}` : `$steps.${step}.outputs.${name}`;
    });
  const parameters = [
    ...(call.key === undefined ? [] : [{ ...HEADER, value: filled(call.key) }]),
    ...Object.entries(call.path ?? {}).map(([name, value]) => ({ name, in: 'path', value: filled(value) })),
    ...Object.entries(call.query ?? {}).map(([name, value]) => ({ name, in: 'query', value: filled(value) })),
  ];
  const body = call.json ?? call.form;
  const { document } = OPERATIONS[call.operation];
  return {
    stepId: call.id,
    operationId: `$sourceDescriptions.${document}.${documentedId(call)}`,
    parameters,
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            contentType: call.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json',
            payload: JSON.parse(JSON.stringify(body), (_key, value) =>
              typeof value === 'string' ? filled(value) : value,
            ),
          },
        }),
    successCriteria: [{ condition: call.isRefused === true ? '$statusCode >= 400' : '$statusCode == 200' }],
    ...(call.returns === undefined
      ? {}
      : {
          outputs: Object.fromEntries(
            Object.entries(call.returns).map(([name, place]) => [name, `$response.body#${place}`]),
          ),
        }),
  };
}
