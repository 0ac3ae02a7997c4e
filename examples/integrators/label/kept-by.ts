/** Faulty label pages that take one order for another one, because something of both is the same. */
import type { LabelPage, Order } from './correct.ts';

/** Makes each label for the first order with the same key. */
export function keptBy(correct: LabelPage, keyOf: (order: Order) => string): LabelPage['makeLabel'] {
  const known = new Map<string, Order>();
  return (order, customer) => {
    const key = keyOf(order);
    known.set(key, known.get(key) ?? order);
    return correct.makeLabel({ ...order, ...known.get(key) }, customer);
  };
}
