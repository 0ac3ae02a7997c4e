/**
 * How a client comes to the next page of a list (spec: Endpoints, "Common rules for A and B"): by the link of the page before. The
 * names and values in a link are the service's own choice: an address that a client constructs works only by undocumented leniency, or shows
 * one page again and again.
 */
import { pairsOf } from '../../install-hash/query.ts';
import { isJsonObject } from '../../json/object.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { isRedacted } from '../reading/redacted.ts';
import { named } from '../service/responses.ts';

const LISTS: readonly string[] = ['listMethods', 'listPoints'];
const DOCUMENTED: readonly string[] = ['page_size', 'desc'];
/** What APIs of other kinds call a page, its beginning or its size; other parameters may be meant for anything, caches for example. */
const OF_PAGES =
  /^(?:p|pg|page|offset|start|from|skip|cursor|after|marker|limit|size|per_?page|page_?(?:no|num|number|index|start|token|offset)|start_?(?:at|from|index|after)|starting_?after|last_?id)$/i;
/** More pages than this were hardly read by hand; behind them nothing is said. */
const MAX_REMEMBERED = 20_000;

/** A rule with memory: takes every call of one base, in their order. */
export class PagingRule {
  readonly #facts: RuleContext['facts'];
  readonly #notes: RuleContext['notes'];
  /** Names, and names with their values, in the links of the pages so far. */
  readonly #linked = new Set<string>();
  /** By path, whether every link of the list is known: a recording may begin in the middle, or lack a body. */
  readonly #known = new Map<string, boolean>();
  /** By path and parameter of a link, whether all links with it, or none, are those of a reversed list. */
  readonly #reversed = new Map<string, boolean | undefined>();

  constructor(scene: RuleContext) {
    this.#notes = scene.notes;
    this.#facts = scene.facts;
  }

  call(call: ServiceRequest): void {
    const { seen, operation } = call;
    if (operation === undefined || !LISTS.includes(operation.id)) return;
    this.#judgeParameters(call);
    const own = seen.query.filter(([name]) => !DOCUMENTED.includes(name));
    const madeUp = own.find(
      ([name, value]) => OF_PAGES.test(name) && !isRedacted(value) && !this.#linked.has(JSON.stringify([name, value])),
    );
    const isKnown = this.#known.get(seen.path) ?? this.#facts.complete;
    const isForeign = this.#linked.size > 0 && madeUp !== undefined && !this.#linked.has(madeUp[0]);
    if ((isKnown || isForeign) && madeUp !== undefined)
      this.#notes.advises('provider.calls.known-operations', seen.n, {
        message: `${named(call)} pages by a parameter ${madeUp[0]} that no next_page_uri contained: a service that names or counts its pages differently returns the same page each time`,
        pointer: `query ${madeUp[0]}`,
        expected: 'page_size for the first page, then the next_page_uri of each page as it is',
        actual: `${madeUp[0]}=${madeUp[1]}`,
      });
    this.#judgeOrder(call);
    if (responseKind(call) !== 'served') return;
    const body = seen.responseBody;
    const link = body.kind === 'json' && isJsonObject(body.value) ? body.value.next_page_uri : undefined;
    const isRead = body.kind === 'json' && !isRedacted(link) && this.#linked.size < MAX_REMEMBERED;
    this.#known.set(seen.path, isRead && (isKnown || own.length === 0));
    const query = typeof link === 'string' ? (link.split('?', 2)[1] ?? '') : '';
    const pairs = pairsOf(query.replace(/#.*/s, ''));
    for (const pair of pairs) this.#linked.add(pair[0]).add(JSON.stringify(pair));
    if (isRead) this.#noteOrder(seen.path, pairs);
  }

  /** Values of the contract's own parameters, and parameters of a link that was taken out of a page of HTML. */
  #judgeParameters(call: ServiceRequest): void {
    const { seen } = call;
    const advise = (name: string, message: string, expected: string): void =>
      this.#notes.advises('provider.calls.known-operations', seen.n, {
        message: `${named(call)} ${message}`,
        pointer: `query ${name}`,
        expected,
        actual: seen.parameter(name),
      });
    const size = seen.parameter('page_size');
    if (size !== undefined && !/^0*[1-9]\d*$/.test(size) && responseKind(call) === 'refused')
      advise('page_size', 'was refused: its page_size is not a number of items', 'a number from 1');
    const order = seen.parameter('desc');
    if (order !== undefined && order !== '1' && order !== '0' && order !== '')
      advise('desc', 'names an order of which the contract says nothing: only desc=1 reverses a list', 'desc=1');
    const escaped = seen.query.find(([name]) => /^amp;/.test(name) && this.#linked.has(name.slice('amp;'.length)))?.[0];
    if (escaped !== undefined)
      advise(
        escaped,
        'follows a next_page_uri with &amp; in place of &, so its parameters are lost',
        'the link as it is',
      );
  }

  /** A link of a reversed list of which the client took over a part only. */
  #judgeOrder(call: ServiceRequest): void {
    const { seen } = call;
    if (seen.query.some(([name]) => name === 'desc')) return;
    const taken = seen.query.find(
      ([name, value]) => this.#reversed.get(JSON.stringify([seen.path, name, value])) === true,
    );
    if (taken === undefined || isRedacted(taken[1])) return;
    this.#notes.advises('provider.calls.known-operations', seen.n, {
      message: `${named(call)} takes ${taken[0]} from a next_page_uri and leaves out the desc=1 that was beside it, so the page may be of another order`,
      pointer: 'query desc',
      expected: 'the next_page_uri as it is',
      actual: 'no desc',
    });
  }

  #noteOrder(path: string, pairs: readonly (readonly [string, string])[]): void {
    const isReversed = pairs.some(([name, value]) => name === 'desc' && value === '1');
    for (const pair of pairs) {
      const key = JSON.stringify([path, ...pair]);
      if (DOCUMENTED.includes(pair[0]) || (!this.#reversed.has(key) && this.#reversed.size >= MAX_REMEMBERED)) continue;
      this.#reversed.set(
        key,
        this.#reversed.has(key) && this.#reversed.get(key) !== isReversed ? undefined : isReversed,
      );
    }
  }
}
