/** The lists of methods and of points that calls have written and read, by owner and method. */
import { METHOD, POINT } from '../../../../fields/catalogue/delivery.ts';
import type { Fields } from '../../../../fields/catalogue/row.ts';
import type { Kind } from '../../../../fields/forms.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { isHidden } from '../../../reading/redacted.ts';
import { Collection, type Strangers } from '../lists/collection.ts';
import type { PendingFindings } from '../values/pending.ts';
import type { Points } from './uploads.ts';

/** Lists that are remembered, and items of all of them. */
const MAX_LISTS = 500;
const MAX_ITEMS_OF_ALL = 10_000;

const kindsOf = (fields: Fields): Record<string, Kind> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, row]) => (row.kept === undefined ? [] : [[name, row.kind]])),
  );
const METHOD_KINDS = kindsOf(METHOD);
const POINT_KINDS = kindsOf(POINT);

export class DeliveryLists {
  readonly pending: PendingFindings;
  readonly #facts: RuleContext['facts'];
  /** Languages that are known of each owner's website: the service has returned a text in them. */
  readonly #languages = new Memory<Set<string>>({ entries: MAX_LISTS });
  readonly #methodLists = new Memory<Collection>({ entries: MAX_LISTS });
  readonly #pointLists = new Memory<Points>({
    entries: MAX_LISTS,
    weight: { of: ({ collection, upload }) => collection.size + (upload?.ids.size ?? 0), most: MAX_ITEMS_OF_ALL },
  });
  /** Those with a list, which another one may read alone. */
  readonly #owners = new Set<string>();
  readonly #strangers: Strangers = { areSeen: false };

  constructor(facts: RuleContext['facts'], pending: PendingFindings) {
    this.#facts = facts;
    this.pending = pending;
  }

  /** The methods of the caller. */
  methodsOf(call: ServiceRequest): Collection {
    const owner = ownerOf(call);
    return (
      this.#methodLists.get(owner) ??
      this.#methodLists.set(
        owner,
        new Collection({
          ...{ what: 'method', key: 'handle', fields: METHOD_KINDS, agrees: 'delivery.method.list-agrees-with-read' },
          readOnly: { name: 'delivery.method.name-read-only' },
          nullUnlessSet: { print_label_url: 'delivery.method.print-label-url-null-otherwise' },
          ...this.#commonOptions(owner),
        }),
      )
    );
  }

  /** The points of a method of the caller. */
  pointsOf(call: ServiceRequest, handle: string): Points {
    const owner = ownerOf(call);
    const key = `${owner}\n${handle}`;
    const points = this.#pointLists.get(key) ?? {
      collection: new Collection({
        ...{ what: 'point', key: 'id', fields: POINT_KINDS, agrees: 'delivery.point.list-agrees-with-read' },
        ...{ readOnly: {}, nullUnlessSet: {} },
        ...this.#commonOptions(owner),
      }),
      upload: undefined,
      deletedBy: undefined,
    };
    // Set again so that its weight is counted.
    return this.#pointLists.set(key, points);
  }

  /** The list that a call reads; undefined if it reads none. */
  listReadBy(call: ServiceRequest): Collection | undefined {
    if (call.operation?.id === 'listMethods') return this.methodsOf(call);
    return call.operation?.id === 'listPoints'
      ? this.pointsOf(call, call.match?.params.handle ?? '').collection
      : undefined;
  }

  /** Whether only these calls write the method. Others may be changed by their owners at any time. */
  isWrittenHereOnly(call: ServiceRequest, handle: unknown): boolean {
    return this.#facts.isAlone !== true || (typeof handle === 'string' && this.methodsOf(call).isKnown(handle));
  }

  /** Another method of the same owner that has the point; undefined unless all writes are recorded. */
  otherMethodWith(call: ServiceRequest, id: string): string | undefined {
    const areAllRecorded = this.#facts.isAlone === true || this.#facts.complete;
    if (!areAllRecorded) return undefined;
    const ofOwner = `${ownerOf(call)}\n`;
    const has = (key: string): boolean => this.#pointLists.get(key)?.collection.isPresent(id) === true;
    return this.#pointLists
      .keys()
      .find((key) => key.startsWith(ofOwner) && has(key))
      ?.slice(ofOwner.length);
  }

  /** Whether the recording shows with which key a call was made. */
  isOwnerKnown(call: ServiceRequest): boolean {
    return this.#facts.isAlone === true || isKnownOwner(ownerOf(call));
  }

  /** Notes that a call may have written the same list under another key of the same owner. */
  touchOthers(call: ServiceRequest, handle: string): void {
    const owner = ownerOf(call);
    if (responseKind(call) === 'refused') return;
    for (const other of this.#owners) {
      if (other === owner) continue;
      this.#pointLists.get(`${other}\n${handle}`)?.collection.touched(call);
      this.#methodLists.get(other)?.touched(call);
    }
  }

  forget(): void {
    for (const list of this.#methodLists.values()) list.forgetItems();
    for (const list of this.#pointLists.values()) {
      list.collection.forgetItems();
      list.upload = undefined;
    }
  }

  #commonOptions(owner: string) {
    this.#owners.add(owner);
    const languages = this.#languages.get(owner) ?? this.#languages.set(owner, new Set(this.#facts.languages));
    const isAlone = this.#facts.isAlone === true;
    const strangers = isAlone || isKnownOwner(owner) ? undefined : this.#strangers;
    return { pending: this.pending, languages, isAlone, strangers };
  }
}

/** The owner of a list, by its key. Another key may belong to another owner. */
const ownerOf = ({ seen }: ServiceRequest): string => seen.header('authorization') ?? '';

/** Without the header, or with a key that was taken out of it, calls of several owners look the same. */
const isKnownOwner = (owner: string): boolean => !isHidden(owner.replace(/^\s*\S+\s+/, '')) && owner.trim() !== '';
