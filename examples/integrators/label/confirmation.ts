/** A label page whose user has to confirm each order on a page of any markup, before it is printed. */
import { randomUUID } from 'node:crypto';
import { page } from '../support/http.ts';
import type { Fields, LabelPage } from './correct.ts';

/** The steps of such a page. `markup` gets the address that prints the order, by GET or by POST; it may be opened once. */
export function confirmedBy(
  correct: LabelPage,
  markup: (address: string) => string,
): Pick<LabelPage, 'respond' | 'printLabel'> {
  const waiting = new Map<string, Fields>();
  return {
    respond: async (request) => {
      const [, ticket] = /^\/print\/([0-9a-f-]+)$/.exec(new URL(request.url).pathname) ?? [];
      if (ticket === undefined) return correct.respond(request);
      const fields = waiting.get(ticket);
      waiting.delete(ticket);
      return fields === undefined ? correct.refused() : correct.printLabel(fields);
    },
    printLabel: async (fields) => {
      if (!correct.accepts(fields)) return correct.refused();
      const ticket = randomUUID();
      waiting.set(ticket, fields);
      return page('Label', markup(`/print/${ticket}`));
    },
  };
}
