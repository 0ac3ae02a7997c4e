// Breaks provider.calls.wrapped-bodies: The values of the settings form are asked for by order_id instead of order_uuid. The key is right.
import type { ExampleNote } from '../../../kit/example.ts';
import LabelPage from '../../correct.ts';

export const note: ExampleNote = {
  id: 'label.calls.order-as-id',
  clauses: ['provider.calls.wrapped-bodies'],
  about: 'The values of the settings form are asked for by order_id instead of order_uuid.',
};

export default class extends LabelPage {
  override call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    const renamed = body !== undefined && 'order_uuid' in body ? { order_id: body.order_uuid } : body;
    return super.call(method, path, renamed);
  }
}
