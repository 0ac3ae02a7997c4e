/**
 * The properties of a delivery method in its label requests, compared with what the traffic shows of the method (spec: Events, Label
 * request). An order may keep the properties that its method had when it was bought, so that any earlier value is right as well.
 */
import { resourceOf } from '../../../envelopes/index.ts';
import { isUnset } from '../../../fields/unset.ts';
import { isJsonObject } from '../../../json/object.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { fieldOf, type LabelRequest } from '../../reading/pages.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { recordsOf, wrapped } from '../state/delivery/bodies.ts';
import { isExpected } from '../state/values/expected.ts';

/** The fields of a label request that return a member of the method. */
const RETURNED = [
  ['delivery_method_reference', 'reference', 'labels.request.method-reference'],
  ['delivery_method_name', 'name', 'labels.request.method-name'],
  ['delivery_method_title', 'title', 'labels.request.method-title'],
] as const;
type Member = (typeof RETURNED)[number][1];

interface KnownMethod {
  /** Created in the traffic, so that no order can be older than its first values. */
  isMade: boolean;
  /** What was sent or read, by member; undefined where it can't be said, or was never seen. */
  readonly values: Map<Member, Set<string> | undefined>;
  /** The last exchange that showed a value. */
  endMs: number;
}

const MAX_METHODS = 5_000;
/** A member with more values is not compared. */
const MAX_VALUES = 50;

/** A rule with memory: `call` with every call, `request` with every label request, in their order. */
export function labelMethodRule({ notes }: RuleContext) {
  const methods = new Memory<KnownMethod>({ entries: MAX_METHODS });
  /** A method with a reference. */
  const owners = new Memory<string>({ entries: MAX_METHODS });

  return {
    call(call: ServiceRequest): void {
      const id = call.operation?.id;
      if (id === 'listMethods') {
        if (responseKind(call) === 'served')
          for (const record of recordsOf(call, 'delivery_methods')) learn(record.handle, record, call);
        return;
      }
      if (id !== 'readMethod' && id !== 'addMethod' && id !== 'changeMethod') return;
      if (responseKind(call) !== 'served') return;
      const body = call.seen.responseBody.kind === 'json' ? call.seen.responseBody.value : undefined;
      const resource = resourceOf(body, 'delivery_method');
      const record = isJsonObject(resource) ? resource : {};
      const handle = id === 'addMethod' ? record.handle : call.match?.params.handle;
      const sent = id === 'readMethod' ? undefined : wrapped(call, 'delivery_method');
      // The name may follow the title.
      if (id === 'changeMethod' && typeof handle === 'string') methods.get(handle)?.values.set('name', undefined);
      // The name is read-only: one that a client sends is not the method's.
      if (sent !== undefined) learn(handle, { ...sent, name: undefined }, call);
      if (record.handle === handle) learn(handle, record, call);
      const made = typeof handle === 'string' && id === 'addMethod' ? methods.get(handle) : undefined;
      if (made !== undefined) made.isMade = true;
    },
    request({ seen, fields, isJson }: LabelRequest): void {
      const method = isJson ? undefined : methods.get(fieldOf(fields, 'delivery_method_handle') ?? '');
      if (method === undefined) return;
      for (const [field, member, clause] of RETURNED) {
        const value = fieldOf(fields, field);
        const known = method.values.get(member);
        if (value === undefined || known === undefined || known.has(lined(value)) || isRedacted(value)) continue;
        const finding = {
          message: `${field} of the label request is not the ${member} that its method has in the recording`,
          pointer: `field ${field}`,
          expected: [...known],
          actual: value,
        };
        if (method.isMade && isExpected(method.endMs, seen.startMs)) notes.breaks(clause, seen.n, finding);
        else if (member === 'reference' && owners.get(lined(value)) !== undefined) {
          const message = `${finding.message}, but that of the method ${owners.get(lined(value))}: the provider may handle the parcel as one of that`;
          notes.advises(clause, seen.n, { ...finding, message });
        } else notes.undecided(clause, seen.n, `${finding.message}, unless the order is older than that`, 'target');
      }
    },
  };

  function learn(handle: unknown, record: Readonly<Record<string, unknown>>, { seen }: ServiceRequest): void {
    if (typeof handle !== 'string' || handle === '' || isRedacted(handle)) return;
    const method = methods.get(handle) ?? methods.set(handle, { isMade: false, values: new Map(), endMs: 0 });
    method.endMs = seen.endMs;
    const { reference } = record;
    if (typeof reference === 'string' && owners.get(lined(reference)) === undefined)
      owners.set(lined(reference), handle);
    for (const [, member] of RETURNED) if (record[member] !== undefined) add(method, member, record[member]);
  }
}

function add({ values }: KnownMethod, member: Member, value: unknown): void {
  const isKnown = values.has(member);
  const known = values.get(member);
  if (isKnown && known === undefined && member !== 'name') return;
  const texts = isJsonObject(value) ? Object.values(value).filter((text) => !isUnset(text)) : [value];
  const isOpen =
    texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === '' || isRedacted(text));
  if (isOpen || (known?.size ?? 0) > MAX_VALUES) {
    values.set(member, undefined);
    return;
  }
  const set = known ?? new Set<string>();
  for (const text of texts) set.add(lined(text as string));
  if (known === undefined) values.set(member, set);
}

/** A form turns each line break into CRLF. */
const lined = (text: string): string => (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
