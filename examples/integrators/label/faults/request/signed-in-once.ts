// Breaks provider.refusals.unsigned: Only the first request of a browser has its signature checked. A cookie stands for the rest.
import { randomUUID } from 'node:crypto';
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage, { type Fields } from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.request.signed-in-once',
  clauses: ['provider.refusals.unsigned'],
  about: 'Only the first request of a browser has its signature checked.',
};

export default class extends LabelPage {
  readonly #sessions = new Set<string>();

  override async answer(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/label') return super.answer(request);
    const session = /(?:^|; )session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
    if (this.#sessions.has(session)) return this.trusted(await request.formData());
    const answer = await super.answer(request);
    if (answer.status < 400) answer.headers.set('set-cookie', `session=${this.begun()}; Path=/; HttpOnly`);
    return answer;
  }

  begun(): string {
    const session = randomUUID();
    this.#sessions.add(session);
    return session;
  }

  /** As if it had been signed. */
  trusted(form: FormData): Promise<Response> {
    const fields: Fields = [...form].map(([name, value]) => [name, String(value)] as const);
    return this.printLabel(this.signed(fields.filter(([name]) => name !== 'signature')));
  }
}
