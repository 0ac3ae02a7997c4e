/**
 * All exchanges of a run, packed into the report: JSON, compressed in parts, in base64. A browser unpacks the parts that its
 * reader asks for. The same exchanges give the same text on every machine, so the compression is not Node's.
 */
import { strToU8, zlibSync } from 'fflate';
import type { Exchange } from '../../../contracts/run/events.ts';
import { html, Markup } from '../markup.ts';

/** Exchanges `from` to `to`, some numbers between them perhaps missing. `data`: zlib in base64. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly data: string;
}

export interface Archive {
  readonly parts: readonly Part[];
  /** Exchanges in all parts. */
  readonly count: number;
  /** Exchanges that did not fit: they are in events.ndjson only. */
  readonly left: number;
}

/** Characters of JSON in one part: unpacked in a few milliseconds. */
const MAX_PART_CHARACTERS = 400_000;
/** All parts together; a report beyond this would not open at once. */
const MAX_PACKED_CHARACTERS = 48_000_000;

export class ArchiveWriter {
  readonly #parts: Part[] = [];
  #pending: string[] = [];
  #numbers: number[] = [];
  #characters = 0;
  #packed = 0;
  #count = 0;
  #left = 0;

  add(exchange: Exchange): void {
    if (this.#packed > MAX_PACKED_CHARACTERS) {
      this.#left += 1;
      return;
    }
    const { type: _, ...rest } = exchange;
    const text = JSON.stringify(rest);
    this.#pending.push(text);
    this.#numbers.push(exchange.n);
    this.#characters += text.length;
    this.#count += 1;
    if (this.#characters > MAX_PART_CHARACTERS) this.#pack();
  }

  done(): Archive {
    this.#pack();
    return { parts: this.#parts, count: this.#count, left: this.#left };
  }

  #pack(): void {
    if (this.#pending.length === 0) return;
    const bytes = zlibSync(strToU8(`[${this.#pending.join(',')}]`), { level: 6 });
    const data = Buffer.from(bytes).toString('base64');
    const [from, to] = [this.#numbers.reduce((a, b) => Math.min(a, b)), this.#numbers.reduce((a, b) => Math.max(a, b))];
    this.#parts.push({ from, to, count: this.#numbers.length, data });
    this.#packed += data.length;
    this.#pending = [];
    this.#numbers = [];
    this.#characters = 0;
  }
}

/** The archive as a block that no browser runs: digits, base64 and fixed names only. */
export function archiveMarkup({ parts, count, left }: Archive): Markup {
  return html`<script type="application/json" id="archive">${new Markup(JSON.stringify({ parts, count, left }))}</script>`;
}

/** Numbers as a short text that the script reads: `1-4,9`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && n <= last[1] + 1) last[1] = n;
    else ranges.push([n, n]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
