/** Calls for methods that do not exist. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { withLeadingUnderscore, withUnderscore } from '../../../harness/target/near-miss.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listMethods, showsMethod } from '../steps/reading.ts';
import { changeOfMethod } from '../steps/values.ts';

/** The reference of a method of the run, which some services look for as well; undefined if handles are made from references. */
export const referenceBeside = ({ resources }: Context, handle: string, reference: unknown): string | undefined =>
  resources.markIn(reference) !== undefined && reference !== handle ? String(reference) : undefined;

export const checks: readonly Check[] = [
  check(
    'delivery.method.unknown-read-refused',
    'MUST refuse to read an unknown handle',
    { ...OWN_METHODS, clauses: ['delivery.method.unknown-read-refused'] },
    async (context) => {
      const { delivery, expect, given, resources } = context;
      const { handle, fields } = await given.newMethod(delivery);
      const wrong = {
        'a handle that was never assigned': `${resources.newMark()}`,
        'an underscore instead of one character of the handle': withUnderscore(handle),
        'an additional character at the end of the handle': `${handle}0`,
        'the last character of the handle missing': handle.slice(0, -1),
        'the reference in place of the handle': referenceBeside(context, handle, fields.reference) ?? '',
      };
      const refuseEach = async () => {
        const taken = new Set((await listMethods(context, delivery)).map((method) => method.handle));
        const probes = Object.entries(wrong)
          .filter(([, other]) => other !== '' && !taken.has(other))
          .map(([change, other]) => ({
            change,
            mutate: (call: ServiceRequest): ServiceRequest => ({ ...call, path: delivery.readMethod(other).path }),
          }));
        await expect.refusesEach(delivery.readMethod(handle), probes, {
          clause: 'delivery.method.read-by-handle',
          accepted: (response) => showsMethod(response, handle),
        });
      };
      try {
        await refuseEach();
      } catch (error) {
        // Handles may be consecutive numbers: then one of these may name a method that others have just created.
        const listed = (await listMethods(context, delivery)).map((method) => method.handle);
        if (!Object.values(wrong).some((other) => listed.includes(other))) throw error;
        await refuseEach();
      }
    },
  ),

  check(
    'delivery.method.unknown-not-updated',
    'MUST refuse to update an unknown handle, or create the method',
    { ...OWN_METHODS, clauses: ['delivery.method.unknown-not-updated'] },
    async (context) => {
      const { delivery, expect, given, resources, send } = context;
      const method = await given.newMethod(delivery);
      const change = (fields: Json) => send(delivery.changeMethod(method.handle, fields), 'control');
      // The refusal of a field that can't be changed says nothing about the handle.
      const control = changeOfMethod(context);
      const takesReference = 'reference' in control && isServed(await change(control));
      if (!takesReference)
        await given.accepted(change({ title: given.text(resources.newMark()) }), 'delivery.method.update-applies');
      // Never a handle that could belong to another owner: only texts with our mark, or one that only a pattern takes for ours.
      const pattern = withLeadingUnderscore(method.handle);
      const held = takesReference ? control.reference : method.fields.reference;
      const similar = [
        `${method.handle}-${resources.newMark()}`,
        pattern,
        referenceBeside(context, method.handle, held),
      ];
      for (const unknown of [resources.newMark(), ...similar]) {
        if (unknown === undefined) continue;
        const reference = resources.newMark();
        const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
        const fields = takesReference ? { reference } : { title: given.text(reference) };
        const response = await send(delivery.changeMethod(unknown, fields), 'change');
        const there = showsMethod(await send(delivery.readMethod(unknown), 'read'), unknown);
        if (there) tracked.created({ handle: unknown });
        const says = isServed(response) ? 'a success' : 'a refusal';
        expect.that(
          isServed(response) === there,
          `the response to an update of an unknown handle must be true: it was ${says}`,
          {
            expected: there ? 'a success, since the method exists now' : 'a refusal, since the method does not exist',
            actual: summary(response),
            response,
          },
        );
      }
    },
  ),
];
