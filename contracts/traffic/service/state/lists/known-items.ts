/** The items of one list by their ids, in the spelling of a recording and in those that a service may treat as equal. */
import { spellingOf } from '../../spelling.ts';
import type { Item } from './item.ts';

export class KnownItems {
  #items = new Map<string, Item>();
  #spellings = new Map<string, string>();

  get size(): number {
    return this.#items.size;
  }

  values(): IterableIterator<Item> {
    return this.#items.values();
  }

  /** The item of exactly this id. */
  of(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** The item of an id, or of a spelling that a service may treat as equal. */
  at(id: string): Item | undefined {
    const item = this.#items.get(id);
    if (item !== undefined) return item;
    const key = spellingOf(id);
    const same = key === id ? undefined : this.#items.get(key);
    if (same !== undefined || this.#spellings.size === 0) return same;
    const other = this.#spellings.get(key);
    return other === undefined ? undefined : this.#items.get(other);
  }

  put(item: Item): Item {
    this.#items.set(item.id, item);
    const key = spellingOf(item.id);
    if (key !== item.id) this.#spellings.set(key, item.id);
    return item;
  }

  delete(id: string): void {
    this.#items.delete(id);
  }

  /** By id. */
  copy(): ReadonlyMap<string, Item> {
    return new Map(this.#items);
  }

  /** Returns what it held, by id. */
  clear(): ReadonlyMap<string, Item> {
    const held = this.#items;
    this.#items = new Map();
    this.#spellings = new Map();
    return held;
  }
}
