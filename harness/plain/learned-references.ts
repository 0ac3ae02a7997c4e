/**
 * Some services take only references that they know. The first method that a run makes with a reference of its own choice shows what is
 * taken instead; a check whose methods have references that it is about can't find that out by itself.
 */
import type { Check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { endingOf } from '../check/ending.ts';
import type { Resources } from '../resources/resources.ts';
import type { Attempt } from './plain-run.ts';

const CREATES = 'delivery.method.create-stores';

const makesMethod = async ({ given, delivery }: Context): Promise<void> => void (await given.newMethod(delivery));

/** Resources of processes that have tried it. */
const tried = new WeakSet<Resources>();

/** Makes a method as other checks do, once a process, after one was refused; whether that has shown which references are taken. */
export async function hasLearnedReferences(check: Check, { ending, context }: Attempt): Promise<boolean> {
  const { resources } = context;
  const { operations } = resources;
  if (ending.restsOn !== CREATES || operations.methodReference !== undefined || tried.has(resources)) return false;
  tried.add(resources);
  const trial = new Context(check, resources);
  // Whatever comes of it, what the check has decided counts.
  await endingOf({ ...check, body: makesMethod }, trial);
  await trial.cleanUp();
  context.adopt(trial);
  return operations.methodReference !== undefined;
}
