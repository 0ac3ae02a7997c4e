/** A refused Apps call changes nothing: neither what it names nor what lies beside it (spec: Errors). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { withoutCode, withoutKey } from '../credentials/bad-credentials.ts';
import { dataRemembered, holdingString, type Owner, readData } from '../steps/data.ts';
import { TWO_INSTALLATIONS } from '../steps/options.ts';
import {
  defaultSlot,
  holding,
  languageSlot,
  languagesOf,
  plainSnippet,
  readSnippet,
  type Slot,
} from '../steps/snippets.ts';

const DATA = 'apps.data.string-kept';

/** Both installations: what each of them keeps. */
interface Kept {
  readonly owners: readonly Owner[];
  readonly slots: readonly Slot[];
}

async function everythingKept(context: Context): Promise<Kept> {
  const { apps, otherApps, resources } = context;
  const owners: readonly Owner[] = [
    { apps, installation: 'own' },
    { apps: otherApps, installation: 'other' },
  ];
  const [language] = await languagesOf(context);
  const slots = [
    defaultSlot(context),
    languageSlot(context, language!),
    { apps: otherApps, installation: 'other' } as const,
  ];
  for (const owner of owners) {
    await dataRemembered(context, owner, DATA);
    await holdingString(context, owner, resources.newMark());
  }
  for (const slot of slots) await holding(context, slot, resources.newMark());
  return { owners, slots };
}

async function read(context: Context, { owners, slots }: Kept): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const owner of owners) seen[`${owner.installation} data`] = await readData(context, owner, DATA);
  for (const slot of slots)
    seen[`${slot.installation} snippet ${slot.language ?? ''}`.trim()] = await readSnippet(context, slot);
  return seen;
}

export const checks: readonly Check[] = [
  check(
    'apps.isolation.refused-changes-nothing',
    'MUST leave snippets and data of all installations unchanged when it refuses an Apps call',
    { clauses: ['envelope.delivery.refusal-changes-nothing'], ...TWO_INSTALLATIONS },
    async (context) => {
      const { apps, expect, given, resources, send } = context;
      const kept = await everythingKept(context);
      const before = await read(context, kept);
      const mark = resources.newMark();
      // What a call names has a check of its own: here, what lies beside it.
      const calls: readonly (readonly [call: ServiceRequest, named?: string])[] = [
        [apps.setData(mark), 'own data'],
        [apps.setSnippet(plainSnippet(mark)), 'own snippet'],
        [apps.finishInstallation()],
      ];
      for (const [call, named] of calls) {
        const beside = (seen: Record<string, unknown>) => Object.entries(seen).filter(([name]) => name !== named);
        const probes = [withoutKey[0]!, withoutCode[0]!];
        for (const { change, mutate } of probes) {
          const answer = await send(mutate(call), 'probe');
          given.holds(!isServed(answer), 'apps.credentials.every-write', `${call.path} was served with ${change}`, {
            answer,
          });
        }
        expect.equal(
          beside(await read(context, kept)),
          beside(before),
          `${call.path} with ${probes.map(({ change }) => change).join(' and with ')}, which is refused, must change nothing`,
        );
      }
    },
  ),
  check(
    'apps.isolation.installed-changes-nothing-else',
    'MUST leave snippets and data of all installations unchanged when an installation is finished again',
    // Proven by the mutants, not by a fault of the matrix.
    { clauses: ['apps.isolation.data', 'apps.isolation.snippets'], additional: true, ...TWO_INSTALLATIONS },
    async (context) => {
      const kept = await everythingKept(context);
      const before = await read(context, kept);
      const answer = await context.send(context.apps.finishInstallation(), 'probe');
      context.expect.equal(
        await read(context, kept),
        before,
        'finishing an installation must leave its contents alone',
        {
          answer,
        },
      );
    },
  ),
];
