/** The stubs that `npm run new` writes: what is new for a check of a service, and for one of an integrator. */
import { integratorStubs } from './integrator.ts';
import { serviceStubs } from './service.ts';
import type { Exists, Stubs } from './stub.ts';

const ID = /^([a-z][a-z0-9-]*)\.([a-z0-9][a-z0-9-]*)\.([a-z0-9][a-z0-9.-]*)$/;
const PARTS = { ...serviceStubs, ...integratorStubs };

/**
 * The stubs for a check. Throws an Error, with one sentence, for an id that is not a path of three parts or that names neither an
 * interface of the service nor a kind of integrator.
 */
export function stubsOf(id: string, exists: Exists): Stubs {
  const [, folder = '', second = '', rule = ''] = ID.exec(id) ?? [];
  if (rule === '')
    throw new Error(`"${id}" is not an id: write a path of three parts such as delivery.batch.refuses-101-points.`);
  const stubs = new Map(Object.entries(PARTS)).get(folder);
  if (stubs === undefined)
    throw new Error(
      `"${folder}" is not an interface or an integrator: the first part of an id is one of ${Object.keys(PARTS).join(', ')}.`,
    );
  if (exists(`suites/${folder}/${second}.ts`))
    throw new Error(
      `suites/${folder}/${second}.ts holds the checks of ${folder}.${second} already: add the check there, or make it a folder first.`,
    );
  return stubs({ id, folder, second, name: rule.replaceAll('.', '-') }, exists);
}
