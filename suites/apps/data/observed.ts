import { type Check, check } from '../../../harness/check/check.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { dataIn, dataRemembered, ownData, storeString } from '../steps/data.ts';
import { formOf, refused } from '../steps/observe.ts';
import { READING, WRITING } from '../steps/options.ts';

export const checks: readonly Check[] = [
  check(
    'apps.data.unset-form',
    'OBSERVES how data that was never set is returned',
    { clauses: [], observations: ['apps.data.unset'], ...READING },
    async (context) => {
      const { apps, send } = context;
      context.observe('apps.data.unset', formOf(await send(apps.getData()), 'data'));
    },
  ),

  check(
    'apps.data.other-types-handling',
    'OBSERVES what happens to data that is neither a string nor an object',
    { clauses: [], observations: ['apps.data.other-types'], ...WRITING },
    async (context) => {
      const { apps, send, resources } = context;
      const owner = ownData(context);
      const mark = resources.newMark();
      await dataRemembered(context, owner, 'apps.data.string-kept');
      const seen: Record<string, string> = {};
      let held: unknown;
      for (const data of [[], [1, 'a'], 7, true, null]) {
        if (held !== mark) await storeString(context, owner, mark);
        const set = await send(apps.setData(data), 'probe');
        const read = dataIn(await send(apps.getData(), 'read'));
        held = read;
        const shown = read === mark ? 'left the data as it was' : `reads back as ${JSON.stringify(read) ?? 'nothing'}`;
        seen[JSON.stringify(data)] = `${isServed(set) ? 'accepted' : refused(set)}, ${shown}`;
      }
      context.observe('apps.data.other-types', seen);
    },
  ),
];
