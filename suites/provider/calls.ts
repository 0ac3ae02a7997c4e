/** The calls that the integrator's own software has made to the service meanwhile, judged as traffic: the rules are those of recordings. */

import { isJsonObject } from '../../contracts/json/object.ts';
import { jsonIn } from '../../contracts/json/parse.ts';
import { pathOf } from '../../contracts/operations/index.ts';
import type { TrafficVerdicts } from '../../contracts/traffic/index.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { Skipped } from '../../harness/check/failures.ts';
import { isCall, lacksVersion, type Received } from '../../harness/integrator/counterpart.ts';
import { once } from '../../harness/integrator/once.ts';
import { expectKept, judgeReceived, warnOfLeniency } from '../../harness/integrator/traffic/traffic.ts';
import { pause } from '../../harness/process/until.ts';
import {
  type DeliveryCheck,
  type DeliveryContext,
  type DeliverySession,
  deliveryCheck,
  type LabelRequest,
} from './session.ts';
import { parameterOf, storeOf, successesOf } from './steps/callbacks.ts';
import { isDuringForgeries } from './steps/forged/index.ts';

const ROWS: readonly (readonly [id: string, clause: string, title: CheckTitle])[] = [
  [
    'provider.calls.authorization-header',
    'provider.calls.authorization-header',
    'MUST send its key with the scheme ApiKey',
  ],
  [
    'provider.calls.known-operations',
    'provider.calls.known-operations',
    'MUST call only operations of the Delivery interface',
  ],
  ['provider.calls.json-bodies', 'envelope.v1.request-bodies-are-json', 'MUST send JSON bodies'],
  [
    'provider.calls.wrapped-bodies',
    'provider.calls.wrapped-bodies',
    'MUST wrap methods, points and orders in an object of that name',
  ],
  [
    'provider.calls.field-types',
    'provider.calls.field-types',
    'MUST send fields of methods and points with the correct types',
  ],
  ['provider.calls.country-codes', 'provider.calls.country-codes', 'MUST send countries as two-letter codes'],
  ['provider.calls.name-not-sent', 'provider.calls.name-not-sent', 'SHOULD NOT send the read-only name of a method'],
  ['provider.calls.label-url-https', 'provider.label.https', 'MUST use https for the label addresses of its methods'],
  [
    'provider.calls.point-ids-unique',
    'provider.calls.point-ids-unique',
    'MUST NOT add a point under an id that exists in the method',
  ],
  ['provider.calls.texts', 'provider.calls.texts', 'MUST send texts as strings, or as one string per language'],
  ['provider.calls.languages', 'provider.calls.languages', 'MUST use only languages of the website in its texts'],
  ['provider.calls.portion-size', 'provider.calls.portion-size', 'MUST send at most 100 points in a batch call'],
  ['provider.calls.list-sent', 'provider.calls.list-sent', 'MUST send pickup_points as an array in each batch call'],
  [
    'provider.calls.first-portion-initializes',
    'provider.calls.first-portion-initializes',
    'MUST start a list with the first portion of an upload',
  ],
  [
    'provider.calls.later-portions-continue',
    'provider.calls.later-portions-continue',
    'MUST send is_initialization false with each later portion',
  ],
  [
    'provider.calls.earlier-portions-open',
    'provider.calls.earlier-portions-open',
    'MUST send is_finalization false with each portion before the last',
  ],
  [
    'provider.calls.last-portion-finalizes',
    'provider.calls.last-portion-finalizes',
    'MUST finish a list with the last portion of an upload',
  ],
  [
    'provider.calls.failed-portion-sent-again',
    'provider.calls.failed-portion-sent-again',
    'SHOULD NOT finish a list that lacks a portion that the service refused',
  ],
  ['provider.calls.ids-unique', 'provider.calls.ids-unique', 'MUST NOT repeat an id within an uploaded list'],
];

/** An upload is over when nothing was called for so long; one that goes on longer is judged as far as it was seen. */
const QUIET_MS = 1_500;
const MAX_WAIT_MS = 15_000;

/** The settings of an order are requested here; without the slash at its end, which a call may lack. */
const SETTINGS_PATH = `/v1/${pathOf('readProviderSettings', {})}`.slice(0, -1);

const verdictsOf = once(({ session }: DeliveryContext): Promise<TrafficVerdicts> => judged(session));

/** The answered calls that the integration made of its own. */
const ownCalls = (session: DeliverySession): Received[] =>
  session.counterpart.received.filter(
    (request) =>
      (isCall(request) || lacksVersion(request.path)) &&
      request.status !== undefined &&
      !(request.path.startsWith(SETTINGS_PATH) && isDuringForgeries(session, request.at)),
  );

async function judged(session: DeliverySession): Promise<TrafficVerdicts> {
  const { counterpart, provider } = session;
  const calls = (): Received[] => ownCalls(session);
  const lastAt = (): number => calls().at(-1)?.at ?? 0;
  const end = Date.now() + MAX_WAIT_MS;
  while (Date.now() - lastAt() < QUIET_MS && Date.now() < end) await pause(QUIET_MS / 10);
  return judgeReceived({
    counterpart,
    received: calls(),
    apiKey: provider.apiKey,
    complete: Date.now() - lastAt() >= QUIET_MS,
    languages: counterpart.languages,
  });
}

/** Clauses that a call may keep only because the service is lenient. */
const LUCKY = [
  'envelope.v1.request-bodies-are-json',
  'provider.calls.earlier-portions-open',
  'provider.calls.known-operations',
  'provider.calls.authorization-header',
  'provider.calls.field-types',
  'provider.calls.country-codes',
  'provider.calls.texts',
];

const NONE = 'the integration made no such call during the precheck';
const NONE_ALIKE = 'no labels were printed for orders of two stores that are alike but for the store';

/** The order that a call asks for; undefined where it names none that is a text. */
function orderOf({ body }: Received): string | undefined {
  const value = jsonIn(body);
  const order = isJsonObject(value) ? value.order_uuid : undefined;
  return typeof order === 'string' ? order : undefined;
}

/** Which field of the label requests a text was taken from instead of `order_uuid`; one that is in none of them may be older. */
function takenFrom(asked: string, requests: readonly LabelRequest[]): string | undefined {
  const valuesOf = (name: string): string[] =>
    requests.flatMap(({ fields }) => fields.flatMap((field) => (field[0] === name ? [field[1]] : [])));
  const orders = valuesOf('order_uuid');
  if (orders.includes(asked)) return undefined;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  if (plain(asked) !== '' && orders.some((order) => plain(order) === plain(asked))) return 'a changed order_uuid';
  return ['label_request_id', 'invoice_id'].find((name) => asked !== '' && valuesOf(name).includes(asked));
}

export const checks: readonly DeliveryCheck[] = [
  ...ROWS.map(([id, clause, title]) =>
    deliveryCheck(id, title, { clauses: [clause], needs: [] }, async (context) => {
      const tally = (await verdictsOf(context)).clauses.get(clause);
      if (tally === undefined) throw new Skipped(NONE);
      expectKept(context, tally);
    }),
  ),
  deliveryCheck(
    'provider.calls.order-uuid-unchanged',
    'MUST request settings with the order_uuid that it received',
    { clauses: ['provider.calls.wrapped-bodies'], needs: [] },
    async (context) => {
      const { session, expect } = context;
      await verdictsOf(context);
      const asked = ownCalls(session).flatMap((call) => {
        const order = call.path.startsWith(SETTINGS_PATH) ? orderOf(call) : undefined;
        return order === undefined ? [] : [{ call, order, from: takenFrom(order, session.counterpart.issued) }];
      });
      if (asked.length === 0) throw new Skipped(NONE);
      const wrong = asked.find(({ from }) => from !== undefined);
      context.restOn([(wrong ?? asked[0])?.call.exchange]);
      expect.that(
        wrong === undefined,
        `the settings must be requested with the order_uuid that was received, not with ${wrong?.from}`,
        {
          expected: 'the order_uuid of a label request',
          actual: wrong?.order,
          exchange: wrong?.call.exchange,
        },
      );
    },
  ),
  deliveryCheck(
    'provider.calls.settings-of-own-store',
    'SHOULD request the settings of the store that owns the order',
    { clauses: ['provider.calls.settings-of-own-store'], needs: [] },
    async (context) => {
      const { session, expect } = context;
      await verdictsOf(context);
      const calls = ownCalls(session).filter(({ path }) => path.startsWith(SETTINGS_PATH));
      const { issued } = session.counterpart;
      const callFor = ({ fields }: LabelRequest): Received | undefined =>
        calls.find((call) => orderOf(call) === parameterOf(fields, 'order_uuid'));
      const asked = issued.filter((request) => callFor(request) !== undefined);
      if (asked.length === 0) throw new Skipped(NONE);
      const namesOf = ({ fields }: LabelRequest): string => fields.map(([name]) => name).join();
      // Only printed orders of a kind for which the settings of another store were requested.
      const comparable = issued.filter(
        (request) =>
          successesOf(session, request).length > 0 &&
          asked.some((one) => namesOf(one) === namesOf(request) && storeOf(one) !== storeOf(request)),
      );
      if (comparable.length === 0) throw new Skipped(NONE_ALIKE);
      const missed = comparable.find((request) => !asked.some((one) => storeOf(one) === storeOf(request)));
      context.restOn(asked.slice(0, 2).map((request) => callFor(request)?.exchange));
      expect.that(
        missed === undefined,
        'a label was printed for an order of another store without requesting the settings of that store, although those of the first store were requested: each store has values of its own, so its parcels may be sent in the name of another one',
        {
          expected: 'a call with the order_uuid of an order of the same store',
          actual: missed === undefined ? undefined : `${storeOf(missed)}: none of ${calls.length} calls`,
        },
      );
    },
  ),
  deliveryCheck(
    'provider.calls.undocumented-leniency',
    'SHOULD NOT rely on undocumented leniency of the service',
    { clauses: LUCKY, needs: [] },
    async (context) => {
      warnOfLeniency(context, await verdictsOf(context), LUCKY);
    },
  ),
];
