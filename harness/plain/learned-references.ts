/**
 * Some services take only references that they know. The first method that a run makes with a reference of its own choice shows what is
 * taken instead; a check whose methods have references that it is about can't find that out by itself.
 */
import type { Check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { GivenFailure, Inconclusive } from '../check/failures.ts';
import type { Resources } from '../resources/resources.ts';
import { NoResponse } from '../target/client/no-response.ts';
import type { Attempt } from './plain-run.ts';

const CREATES = 'delivery.method.create-stores';

/** Resources of processes that have tried it. */
const tried = new WeakSet<Resources>();

/** Makes a method as other checks do, once a process, after one was refused; whether that has shown which references are taken. */
export async function hasLearnedReferences(check: Check, { ending, context }: Attempt): Promise<boolean> {
  const { resources } = context;
  const { operations } = resources;
  if (ending.restsOn !== CREATES || operations.methodReference !== undefined || tried.has(resources)) return false;
  tried.add(resources);
  const trial = new Context(check, resources);
  try {
    await trial.given.newMethod(trial.delivery);
  } catch (error) {
    const isUndecided = [GivenFailure, Inconclusive, NoResponse].some((one) => error instanceof one);
    if (!isUndecided) throw error;
  }
  await trial.cleanUp();
  context.adopt(trial);
  return operations.methodReference !== undefined;
}
