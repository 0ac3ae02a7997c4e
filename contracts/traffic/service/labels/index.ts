/** The fields of label requests and their signature (spec: Events, Label request; Authentication, Request signing). */

import { createHash } from 'node:crypto';
import {
  LABEL_BUYER_FIELDS,
  LABEL_FILLED,
  LABEL_FORMS,
  LABEL_PRESENT,
  lackingFields,
} from '../../../fields/catalogue/label-request.ts';
import { shortened } from '../../../json/words.ts';
import { LABEL_REQUEST_FIELDS, SIGNATURE_FIELD } from '../../../signing/index.ts';
import type { RuleContext } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { fieldOf, type LabelRequest } from '../../reading/pages.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { judgeSignature } from '../../signatures.ts';

interface FieldRule {
  readonly clause: string;
  readonly field: string;
  readonly holds: (value: string) => boolean;
  readonly expected: string;
}

/** Base64 of 32 bytes, in the ordinary alphabet, padded. */
const isSignature = (value: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(value);

/** Fields whose form is fixed, and those that must not be empty. */
const FORMS: readonly FieldRule[] = [
  ...Object.entries({ ...LABEL_FILLED, ...LABEL_FORMS }).map(([clause, form]) => ({ ...form, clause })),
  {
    clause: 'labels.request.signature-present',
    field: SIGNATURE_FIELD,
    holds: isSignature,
    expected: '44 characters of base64',
  },
];

const BUYER_CLAUSE = 'labels.request.buyer-address-for-pickup';
const EMPTY_FIELDS = 'labels.request.empty-fields';
const NEW_ID = 'labels.request.id-new-per-press';
const UNIQUE_INVOICE = 'labels.request.invoice-id-unique';
const SIGNED = 'labels.request.signature-correct';
const ONCE = 'labels.request.fields-once';

const OF_CONTRACT: ReadonlySet<string> = new Set([...LABEL_REQUEST_FIELDS, SIGNATURE_FIELD]);

/** Clauses about what an order or a method was: a field that is missing breaks them, one that is there proves little. */
const ONLY_BROKEN = new Set([
  'labels.request.order-uuid',
  'labels.request.method-handle',
  'labels.request.method-name',
  'labels.request.method-title',
  'labels.request.method-reference',
  'labels.request.posted-to-label-url',
]);
const ALL = [
  ...FORMS.map(({ clause }) => clause),
  ...Object.keys(LABEL_PRESENT),
  BUYER_CLAUSE,
  EMPTY_FIELDS,
  NEW_ID,
  UNIQUE_INVOICE,
  SIGNED,
  ONCE,
];
export const LABEL_CLAUSES = ALL.filter((clause) => !ONLY_BROKEN.has(clause));
export const LABEL_CLAUSES_BROKEN = [...ONLY_BROKEN];

/** Orders and requests that are remembered, to compare the next ones with; the oldest are forgotten. */
const REMEMBERED = 5_000;

/** A rule with memory: call it with every label request, in their order. */
export class LabelRule {
  readonly #scene: RuleContext;
  readonly #notes: RuleContext['notes'];
  readonly #contents = new Memory<string>({ entries: REMEMBERED });
  readonly #orderOfInvoice = new Memory<string>({ entries: REMEMBERED });

  constructor(scene: RuleContext) {
    this.#scene = scene;
    this.#notes = scene.notes;
  }

  request(request: LabelRequest): void {
    const { seen, fields } = request;
    const { n } = seen;
    if (seen.method !== 'POST') {
      this.#notes.breaks('labels.request.posted-to-label-url', n, {
        message: `the label request was a ${seen.method} instead of a POST`,
        pointer: 'method',
        expected: 'POST',
        actual: seen.method,
      });
      return;
    }
    if (request.isJson) {
      this.#judgeJson(request);
      return;
    }
    for (const { clause, field, holds, expected } of FORMS)
      judgeField(this.#scene, request, clause, field, holds, expected);
    for (const [clause, names] of Object.entries(LABEL_PRESENT)) judgeEntered(this.#scene, request, clause, names);
    if ((fieldOf(fields, 'shipping_pickup_point_id') ?? '') !== '')
      judgeEntered(this.#scene, request, BUYER_CLAUSE, LABEL_BUYER_FIELDS);
    this.#judgeIdentity(request);
    this.#judgeRepeated(request);
    judgeSignature(this.#scene, SIGNED, {
      what: 'the label request',
      fields,
      n,
      expects: 'over all values except the signature',
    });
  }

  /** Nothing of it is a form, so that its fields are not judged one by one. */
  #judgeJson({ seen, sender }: LabelRequest): void {
    const clause = 'labels.request.posted-to-label-url';
    const message = 'the label request was sent as JSON instead of form fields';
    if (sender === 'service') {
      const actual = seen.header('content-type') ?? 'no content type';
      this.#notes.breaks(clause, seen.n, { message, pointer: 'header content-type', expected: 'form fields', actual });
    } else {
      const reason = `${message}, unless the provider passed on what it had received: the recording does not show which page made it`;
      this.#notes.undecided(clause, seen.n, reason, 'target');
    }
  }

  #judgeRepeated({ seen, fields, sender }: LabelRequest): void {
    const names = fields.map(([name]) => name).filter((name) => OF_CONTRACT.has(name));
    const repeated = names.find((name, at) => names.indexOf(name) !== at);
    if (repeated === undefined) this.#notes.keeps(ONCE, seen.n);
    else if (sender === 'service') {
      this.#notes.breaks(ONCE, seen.n, {
        message: `${repeated} is in the label request more than once`,
        pointer: `field ${repeated}`,
        expected: 'one value per name, since many receivers keep one and verify the signature over those',
        actual: `${names.filter((name) => name === repeated).length} times`,
      });
    }
  }

  #judgeIdentity({ seen, fields }: LabelRequest): void {
    const [id, order, invoice] = ['label_request_id', 'order_uuid', 'invoice_id'].map((name) => fieldOf(fields, name));
    const content = sha256(fields.map((pair) => pair.join('=')).join('&'));
    if (id !== undefined && id !== '') {
      const before = this.#contents.get(id);
      // The same request again is a page that was loaded again.
      if (before !== undefined && before !== content) {
        this.#notes.breaks(NEW_ID, seen.n, {
          message: 'two different label requests have the same label_request_id',
          pointer: 'field label_request_id',
          expected: 'an id that no earlier press had',
          actual: id,
        });
      } else if (before === undefined && this.#contents.size > 0) this.#notes.keeps(NEW_ID, seen.n);
      this.#contents.set(id, content);
    }
    if (order === undefined || invoice === undefined || invoice === '' || isRedacted(invoice)) return;
    const other = this.#orderOfInvoice.get(invoice);
    if (other !== undefined && other !== order) {
      this.#notes.breaks(UNIQUE_INVOICE, seen.n, {
        message: 'label requests for two orders have the same invoice_id',
        pointer: 'field invoice_id',
        expected: 'a value that no other order has',
        actual: invoice,
      });
    } else if (other === undefined && this.#orderOfInvoice.size > 0) this.#notes.keeps(UNIQUE_INVOICE, seen.n);
    this.#orderOfInvoice.set(invoice, order);
  }
}

function judgeField(
  { notes }: RuleContext,
  { seen, fields }: LabelRequest,
  clause: string,
  field: string,
  holds: (value: string) => boolean,
  expected: string,
): void {
  const value = fieldOf(fields, field);
  if (value !== undefined && holds(value)) notes.keeps(clause, seen.n);
  else if (isRedacted(value))
    notes.undecided(clause, seen.n, `${field} of a label request was redacted in the recording`);
  else {
    notes.breaks(clause, seen.n, {
      message: `${field} of the label request is ${value === undefined ? 'missing' : value === '' ? 'empty' : 'in another form'}`,
      pointer: `field ${field}`,
      expected,
      actual: value === undefined ? 'no such field' : shortened(value, SHOWN_CHARACTERS),
    });
  }
}

const SHOWN_CHARACTERS = 80;

function judgePresence(
  { notes }: RuleContext,
  { seen, fields }: LabelRequest,
  clause: string,
  names: readonly string[],
): void {
  const missing = names.filter((name) => fieldOf(fields, name) === undefined);
  if (missing.length === 0) notes.keeps(clause, seen.n);
  else {
    notes.breaks(clause, seen.n, {
      message: `the label request lacks ${missing.join(', ')}`,
      pointer: `field ${missing[0]}`,
      expected: names,
      actual: 'no such field',
    });
  }
}

/** The same for fields that may be left out where they are empty. */
function judgeEntered(scene: RuleContext, request: LabelRequest, clause: string, names: readonly string[]): void {
  const { missing, mayBeEmpty } = lackingFields(clause, names, (name) => fieldOf(request.fields, name));
  if (missing.length === 0 || !mayBeEmpty) judgePresence(scene, request, clause, names);
  if (missing.length === 0) scene.notes.keeps(EMPTY_FIELDS, request.seen.n);
  if (missing.length === 0 || !mayBeEmpty) return;
  scene.notes.breaks(EMPTY_FIELDS, request.seen.n, {
    message: `the label request lacks ${missing.join(', ')}, which is allowed only where the value would be empty`,
    pointer: `field ${missing[0]}`,
    expected: names,
    actual: 'no such field',
  });
}

/** A cart can be long, and many are remembered. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');
