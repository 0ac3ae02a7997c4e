/** Who has to act, in the reader's words, and what they do next. */
import { causesOf } from '../../findings/causes.ts';
import type { Results } from '../../results/index.ts';
import { type ActorName, errorsOf, remediesOf } from '../../words/summary.ts';
import { clip, count } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';

/** Steps named of each actor; the sections below have them all. */
const MAX_STEPS = 4;
const MAX_STEP_CHARACTERS = 220;

/** `the service`, `your app`, `your profile` … */
export function actorOf(actor: ActorName, party: Results['party']): string {
  switch (actor) {
    case 'target':
      return party === 'service' ? 'the service' : 'your app or page';
    case 'configuration':
      return party === 'service' ? 'your profile' : 'the setup of this run';
    case 'network':
      return 'the network in between';
    case 'harness':
      return 'Proofmark itself';
    case 'contract':
      return 'the owner of the contract';
    case 'interruption':
      return 'another run';
  }
}

interface Steps {
  readonly checks: number;
  readonly steps: readonly Markup[];
}

/** Next steps grouped by who has to act; the judged party first. */
export function nextSteps(results: Results): Markup | undefined {
  const order: readonly ActorName[] = ['target', 'configuration', 'network', 'harness', 'contract', 'interruption'];
  const groups = order.flatMap((name) => {
    const { checks, steps } = stepsOf(name, results);
    if (steps.length === 0) return [];
    const actor = actorOf(name, results.party);
    const rest = steps.length - MAX_STEPS;
    return html`<li><h3>${actor.charAt(0).toUpperCase() + actor.slice(1)} <span class="quiet">${count(checks, 'check')}</span></h3><ul>${steps.slice(0, MAX_STEPS)}${rest > 0 && html`<li class="quiet">and ${count(rest, 'more step')}</li>`}</ul></li>`;
  });
  if (groups.length === 0) return undefined;
  return html`<section class="next" aria-labelledby="next-title"><h2 id="next-title">Next steps</h2><ul class="actors">${groups}</ul></section>`;
}

function stepsOf(actor: ActorName, results: Results): Steps {
  const causes = causesOf(results).filter(
    // A finding of the baseline already has an owner.
    ({ failed: [first] }) => first.known === undefined && (first.attribution ?? 'harness') === actor,
  );
  const errors = errorsOf(results).filter((check) => (check.attribution ?? 'harness') === actor);
  const waiting = new Set(causesOf(results).flatMap((cause) => cause.waiting.map(({ id }) => id)));
  const remedies = remediesOf(results).flatMap((remedy) => {
    const checks = remedy.checks.filter(({ id }) => !waiting.has(id)).length;
    return remedy.actor === actor && checks + remedy.clauses.length > 0 ? [{ ...remedy, waits: checks }] : [];
  });
  const steps = [
    ...causes.map(
      ({ failed, waiting: others }) =>
        html`<li><a href="#check-${failed[0].id}">${clip(failed[0].title, MAX_STEP_CHARACTERS)}</a>${others.length > 0 && html` <span class="quiet">(${count(others.length, 'check')} ${others.length === 1 ? 'waits' : 'wait'} for it)</span>`}</li>`,
    ),
    ...errors.map(
      (check) => html`<li>Report this: <a href="#check-${check.id}">${clip(check.title, MAX_STEP_CHARACTERS)}</a></li>`,
    ),
    ...remedies.map(({ text }) => html`<li>${clip(text, MAX_STEP_CHARACTERS)}</li>`),
  ];
  const checks =
    causes.reduce((sum, cause) => sum + cause.failed.length + cause.waiting.length, 0) +
    errors.length +
    remedies.reduce((sum, { waits }) => sum + waits, 0);
  return { checks, steps };
}
