/** Decisions of the delivery interface. */
import {
  METHOD_FIELDS,
  type MethodField,
  POINT_FIELDS,
  type PointField,
} from '../../contracts/fields/catalogue/delivery.ts';
import { isHostedAddress } from '../http/addresses.ts';
import type { CallName } from '../http/call.ts';
import { type FieldValue, type Order, type Provider, textIn, type Website } from '../state/state.ts';
import type { PointList } from '../storage/point-list.ts';
import type { Method, MethodFields, MethodInput } from '../types/method.ts';
import type { Point, PointInput } from '../types/point.ts';
import type { Languages, OwnerId, Text } from '../types/text.ts';
import type { CommonRules } from './common.ts';

/** The caller, known by its key. */
export interface Owner {
  readonly id: OwnerId;
  readonly site: Languages;
  readonly provider: Provider | null;
  readonly website: Website | null;
}

export interface DeliveryRules {
  /** Whether a presented key is that of a store or a provider. */
  deliveryKeyMatches(presented: string, holder: Website | Provider): boolean;
  /** Whether a caller may read or change a method; `operation` is that of the call: `listMethods`, `changePoint`, … */
  ownerMayList(owner: Owner, method: Method): boolean;
  ownerMayRead(owner: Owner, method: Method, operation: CallName): boolean;
  ownerMayChange(owner: Owner, method: Method, operation: CallName): boolean;
  acceptsLanguage(site: Languages, code: string): boolean;
  acceptsCountry(code: string): boolean;
  acceptsPointId(id: string): boolean;
  acceptsLabelUrl(url: string): boolean;
  newHandle(random: (bytes: number) => Buffer): string;
  /** The read-only name of a new method. */
  methodName(handle: string, title: Text | null, site: Languages): string;
  /** Fields of a method after a create (`before` is null) or an update. */
  mergeMethod(
    before: Method | null,
    input: MethodInput,
    site: Languages,
  ): Omit<Method, 'handle' | 'number' | 'owner' | 'name'>;
  mergePoint(before: Point | null, id: string, input: PointInput, site: Languages): Point;
  /** A text after an update; a string sets the default language. */
  mergeText(before: Text | null, sent: Text | null, site: Languages): Text | null;
  renderText(text: Text, site: Languages): Text;
  renderMethod(method: Method, site: Languages): Record<string, unknown>;
  renderPoint(point: Point, site: Languages): Record<string, unknown>;
  /** How an optional value that was never set is returned: `undefined` omits the field. */
  renderMissing(field: string): unknown;
  /** The body of the response to a create. */
  methodCreated(method: Method, rendered: Record<string, unknown>): Record<string, unknown>;
  methodUpdated(method: Method, rendered: Record<string, unknown>): Record<string, unknown>;
  /** The handles in the path of a call that may name several. */
  handlesOf(segment: string): string[];
  /** The methods of a call to which it is applied. */
  appliedTo(methods: readonly Method[], operation: CallName): readonly Method[];
  /** Whether one unknown handle among several refuses the whole call. */
  unknownHandleRefusesAll(): boolean;
  /** Whether adding an existing id is refused or replaces the old point. */
  duplicatePoint(id: string): 'refuse' | 'replace';
  addPoint(list: PointList, point: Point): void;
  removePoint(list: PointList, id: string): void;
  maxPortionItems(): number;
  /** The first id of these points that would be listed twice after publishing, or null. */
  repeatedId(list: PointList, points: readonly Point[]): string | null;
  /** An id of the upload that another country's point has taken since it began, or null. */
  clashingId(list: PointList): string | null;
  isInitialization(sent: boolean | null | undefined): boolean;
  isFinalization(sent: boolean | null | undefined): boolean;
  /** Whether a later portion belongs to the open upload. */
  uploadFits(list: PointList, country: string | null): boolean;
  /** Begins, extends and publishes an upload. */
  beginUpload(list: PointList, country: string | null): void;
  stage(list: PointList, points: readonly Point[]): void;
  publish(list: PointList): void;
  /** Whether the published list can be read during an upload. */
  listedDuringUpload(): boolean;
  /** Values of a delivery provider's settings form for one order. */
  settingsFields(order: Order, provider: Provider | null, website: Website): Record<string, FieldValue>;
  /** Whether a caller may read settings at all, and those for this order. */
  mayAskSettings(owner: Owner): boolean;
  orderIsOf(owner: Owner, order: Order): boolean;
  /** Whether a store has enabled a method. */
  isOffered(website: Website, method: Method): boolean;
  /** Whether a method is for stores of a country, and for destinations in one: 2-letter codes of any case. */
  offeredFrom(method: Method, storeCountry: string): boolean;
  offeredTo(method: Method, destinationCountry: string): boolean;
  /** Whether a method is open to a shop at all: its own, or one of an approved provider. */
  availableTo(method: Method, provider: Provider | null, website: Website): boolean;
}

/** Ids are used in paths, and servers limit the length of paths. */
const MAX_POINT_ID_CHARACTERS = 255;

const includesCountry = (codes: readonly string[] | null, country: string): boolean =>
  codes === null || codes.length === 0 || codes.some((code) => code.toLowerCase() === country.toLowerCase());

export const deliveryRules = (self: () => DeliveryRules & CommonRules): DeliveryRules => ({
  deliveryKeyMatches: (presented, holder) => self().secretMatches(presented, holder.apiKey),
  ownerMayList: (owner, method) => owner.id === method.owner,
  ownerMayRead: (owner, method) => owner.id === method.owner,
  ownerMayChange: (owner, method) => owner.id === method.owner,
  acceptsLanguage: (site, code) => site.languages.includes(code),
  acceptsCountry: (code) => /^[A-Za-z]{2}$/.test(code),
  acceptsPointId: (id) => id !== '' && id.length <= MAX_POINT_ID_CHARACTERS && id !== '.' && id !== '..',
  acceptsLabelUrl: isHostedAddress,
  newHandle: (random) => `dm${random(8).toString('hex')}`,
  methodName: (handle, title, site) => textIn(title, site.defaultLanguage, site) || handle,
  mergeMethod: (before, input, site) => {
    const kept = Object.fromEntries(
      METHOD_FIELDS.map((name) => [name, input[name] === undefined ? (before?.[name] ?? null) : input[name]]),
    ) as unknown as MethodFields;
    return {
      ...kept,
      title: input.title === undefined ? kept.title : self().mergeText(before?.title ?? null, input.title, site),
      print_label_url: kept.print_label_url || null,
    };
  },
  mergePoint: (before, id, input, site) => {
    const point: Record<string, unknown> = {};
    for (const name of POINT_FIELDS) point[name] = (input[name] === undefined ? before?.[name] : input[name]) ?? null;
    return {
      ...(point as unknown as Point),
      ...{ id, attributes: (point.attributes ?? undefined) as Point['attributes'] },
      title:
        input.title === undefined
          ? (before?.title ?? null)
          : self().mergeText(before?.title ?? null, input.title, site),
    };
  },
  mergeText: (before, sent, site) => {
    if (sent === null || before === null) return sent;
    if (typeof sent === 'string')
      return typeof before === 'string' ? sent : { ...before, [site.defaultLanguage]: sent };
    return { ...(typeof before === 'string' ? { [site.defaultLanguage]: before } : before), ...sent };
  },
  renderText: (text) => text,
  renderMethod: (method, site) => ({
    handle: method.handle,
    name: method.name,
    ...rendered(self(), METHOD_FIELDS, method, site),
    print_label_url: method.print_label_url,
  }),
  renderPoint: (point, site) => ({ id: point.id, ...rendered(self(), POINT_FIELDS, point, site) }),
  renderMissing: () => null,
  methodCreated: (method) => ({ error: false, handle: method.handle }),
  methodUpdated: () => ({ error: false }),
  handlesOf: (segment) => [...new Set(segment.split(','))],
  appliedTo: (methods) => methods,
  unknownHandleRefusesAll: () => true,
  duplicatePoint: () => 'refuse',
  addPoint: (list, point) => list.add(point),
  removePoint: (list, id) => void list.remove(id),
  maxPortionItems: () => 100,
  repeatedId: (list, points) => {
    const seen = new Set<string>();
    for (const { id } of points) {
      if (seen.has(id) || list.isStaged(id) || list.keepsPublished(id)) return id;
      seen.add(id);
    }
    return null;
  },
  clashingId: (list) => {
    if (!list.upload?.country || !list.changedSinceBegin) return null;
    return list.staged().find(({ id }) => list.keepsPublished(id))?.id ?? null;
  },
  isInitialization: (sent) => sent ?? true,
  isFinalization: (sent) => sent ?? true,
  uploadFits: (list, country) => list.upload?.country === (country?.toLowerCase() ?? null),
  beginUpload: (list, country) => list.begin(country),
  stage: (list, points) => list.stage(points),
  publish: (list) => list.publish(),
  listedDuringUpload: () => true,
  settingsFields: (_order, provider, website) => ({ ...(provider && website.deliverySettings[provider.id]) }),
  mayAskSettings: (owner) => owner.provider !== null,
  orderIsOf: (owner, order) => owner.id === order.owner,
  isOffered: (website, method) => website.enabledMethods.includes(method.handle),
  offeredFrom: (method, storeCountry) => includesCountry(method.available_countries_from, storeCountry),
  offeredTo: (method, destinationCountry) => includesCountry(method.available_countries_to, destinationCountry),
  availableTo: (method, provider, website) =>
    provider === null ? method.owner === `website:${website.id}` : provider.status === 'approved',
});

/** The fields as they are shown; what a rule renders as `undefined` is left out. */
function rendered<Name extends MethodField | PointField>(
  { renderText, renderMissing }: DeliveryRules,
  names: readonly Name[],
  record: Readonly<Record<Name, unknown>>,
  site: Languages,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const value = record[name] ?? renderMissing(name);
    const shown = name === 'title' && record[name] !== null ? renderText(value as Text, site) : value;
    if (shown !== undefined) fields[name] = shown;
  }
  return fields;
}
