/** Updates with further fields, for a service that takes no others: which fields an update needs is not stated. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import { type CallSubject, subjectOf } from '../../plain/refusals/calls-on-points.ts';
import { type Completion, decoded } from '../../plain/stand-ins/stand-ins.ts';
import type { ServiceRequest } from '../../target/client/request.ts';

type Json = Record<string, unknown>;

/** What a field of a method or point has where the target shows nothing. */
const DEFAULTS: Readonly<Record<'delivery_method' | 'pickup_point', Json>> = {
  delivery_method: {
    title: '',
    reference: '',
    available_countries_from: [],
    available_countries_to: [],
    print_label_url: null,
  },
  pickup_point: { title: '', address: '', city: '', zip: '', country: '', attributes: '' },
};

/** Reads the object that an update changes; the first one of those that its path names. */
export const readBefore = ({ body: _, ...update }: ServiceRequest): ServiceRequest => ({
  ...update,
  method: 'GET',
  path: update.path.replace(/(delivery_method\/[^/,]+),[^/]*/, '$1'),
});

/** How an update is completed. */
export interface CompletionOptions {
  readonly completion: Completion;
  /**
   * Whether the target was sent a title in this language. It may show others, of its own making: sent back, they would become texts that
   * an update of the check's own language leaves.
   */
  readonly isSent?: (language: string, title: Json) => boolean;
}

/**
 * An update with the fields that it leaves out as `shown`, the body of a response, has them; one of a point with the id in its path, too.
 */
export function completed(
  update: ServiceRequest,
  shown: unknown,
  { completion, isSent = () => true }: CompletionOptions,
): ServiceRequest {
  const { body } = update;
  if (body === undefined || 'form' in body) return update;
  const json: unknown = 'json' in body ? body.json : jsonIn(String(body.raw));
  if (!isJsonObject(json)) return update;
  const { id: segment } = subjectOf(update);
  const id = segment === undefined ? undefined : decoded(segment);
  const whole: Json = { ...json };
  for (const [wrapper, fields] of Object.entries(DEFAULTS)) {
    const sent = json[wrapper];
    if (!isJsonObject(sent)) continue;
    const known = completion === 'all' ? { ...fields, ...fieldsIn(shown, wrapper, Object.keys(fields)) } : {};
    const others = 'title' in known ? { ...known, title: inLanguages(known.title, isSent) } : known;
    whole[wrapper] = { ...(id === undefined ? {} : { id }), ...others, ...sent };
  }
  return { ...update, body: 'json' in body ? { ...body, json: whole } : { ...body, raw: JSON.stringify(whole) } };
}

/** The named fields of the resource in a response. */
function fieldsIn(shown: unknown, wrapper: string, names: readonly string[]): Json {
  const fields = resourceOf(shown, wrapper);
  if (!isJsonObject(fields)) return {};
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

/** The texts of a title in the languages that were sent, or all of them where none was; a plain text as it is. */
function inLanguages(title: unknown, isSent: (language: string, title: Json) => boolean): unknown {
  if (!isJsonObject(title)) return title;
  const texts = Object.entries(title).filter(([, text]) => typeof text === 'string');
  const own = texts.filter(([language]) => isSent(language, title));
  return Object.fromEntries(own.length === 0 ? texts : own);
}

/** The languages in which a target has taken titles. */
export class TitlesTaken {
  /** Of titles as objects, and the default language of those as plain texts, each with its kind. */
  readonly #named = new Set<string>();
  readonly #languagesOfPlain = new Set<string>();
  readonly #plainTexts = new Set<string>();

  /** Notes the titles of a call that was served; `defaultLanguage`: that of a title as a plain text, unless another store has another one. */
  note({ points, json }: Pick<CallSubject, 'points' | 'json'>, defaultLanguage: string | undefined): void {
    const method = isJsonObject(json.delivery_method) ? [json.delivery_method] : [];
    this.#add('method', method, defaultLanguage);
    this.#add(
      'point',
      points.map(({ fields }) => fields),
      defaultLanguage,
    );
  }

  #add(kind: CallSubject['kind'], sent: readonly Json[], defaultLanguage: string | undefined): void {
    for (const { title } of sent) {
      if (isJsonObject(title)) for (const language of Object.keys(title)) this.#named.add(`${kind} ${language}`);
      else if (typeof title === 'string') {
        this.#plainTexts.add(`${kind} ${title}`);
        if (defaultLanguage !== undefined) this.#languagesOfPlain.add(`${kind} ${defaultLanguage}`);
      }
    }
  }

  /**
   * Whether one of a method, or of a point, was in this language of a title that the target shows. A plain text is in the languages that show
   * it where the default one does not.
   */
  areIn(kind: CallSubject['kind'], language: string, title: Json = {}): boolean {
    if (this.#named.has(`${kind} ${language}`)) return true;
    const showsPlain = (code: string): boolean => this.#plainTexts.has(`${kind} ${String(title[code])}`);
    const isDefault = (code: string): boolean => this.#languagesOfPlain.has(`${kind} ${code}`);
    const showing = Object.keys(title).filter(showsPlain);
    return showing.length === 0 || showing.some(isDefault) ? isDefault(language) : showsPlain(language);
  }
}
