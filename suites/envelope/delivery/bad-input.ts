/** Addresses that do not exist and bodies that can't be understood: refused with the envelope, and as the caller's mistake. */
import { pathOf } from '../../../contracts/operations/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { once } from '../../../harness/resources/once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, pointsAt, wholeList } from '../../delivery/batch/calls.ts';
import { handlingOf } from '../../delivery/batch/observed.ts';
import { inTurn } from '../../delivery/steps/methods/create-method.ts';
import { methodWith, methodWithPoints } from '../../delivery/steps/methods/filled-methods.ts';
import { unlessFull } from '../../delivery/steps/methods/unless-full.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { idsOf, listPoints, type Method } from '../../delivery/steps/reading.ts';
import { changeOfPoint, minimalPoint } from '../../delivery/steps/values.ts';
import { unavailable } from '../samples.ts';
import { expectEnvelope, refusesUnknownPaths, refusesWithEnvelope, type UnknownPaths } from '../unknown-paths.ts';
import { asText, notJson, QUESTIONABLE, UNPARSABLE_BODIES } from './bad-bodies.ts';

const READING = { ...OWN_METHODS, effects: 'read' } as const;

/** Paths that Delivery does not have. */
function unknownPathsOf({ resources }: Context): string[] {
  const mark = resources.newMark();
  return [`${mark}/`, `store/${mark}/`, `store/delivery_methods/${mark}/${mark}/`, `store/${mark}/${mark}/${mark}/`];
}

const UNKNOWN_PATHS: UnknownPaths = {
  of: 'Delivery',
  options: READING,
  calls: (context) => unknownPathsOf(context).map((path) => context.delivery.call('GET', path)),
  otherMethod: ({ delivery }) => delivery.call('GET', pathOf('addMethod', {})),
  control: ({ delivery }) => delivery.listMethods(),
  clause: 'delivery.method.list-contains-own',
};

const oddAddresses = check(
  'envelope.delivery.undecodable-path',
  'SHOULD refuse an odd or undecodable address with the error envelope',
  { clauses: ['envelope.delivery.undecodable-path'], ...READING },
  async (context) => {
    // A percent sign that encodes nothing, and bytes that are not UTF-8: frameworks answer these before any code of the interface.
    for (const handle of ['100%', '%E0%A4']) {
      const response = await context.send(context.delivery.call('GET', pathOf('readMethod', { handle })), 'probe');
      const refusal = isRefused(response);
      if (refusal === 'unavailable') throw unavailable(response);
      const clause = 'delivery.method.unknown-read-refused';
      context.given.holds(refusal === 'refused', clause, `the method ${handle} was read`, { response });
      expectEnvelope(context, `the address with ${handle}`, response);
    }
    // Servers may take these for the same path, redirect to it, or find no operation there.
    const path = pathOf('listMethods', {});
    for (const odd of [path.replace(/\/$/, ''), path.replace('/', '//')]) {
      const response = await context.send(context.delivery.call('GET', odd), 'probe');
      if (response.status >= 400 && isRefused(response) === 'refused')
        expectEnvelope(context, `the path ${odd}`, response);
    }
  },
);

/** The name of the responses to questionable bodies in `shares`. */
const BAD_BODIES = 'responses to questionable Delivery bodies';

interface BadInput {
  readonly what: string;
  readonly response: ServiceResponse;
}

/** The responses to the bodies that a service may refuse or make sense of, sent once for both checks that judge them. */
const questionableBodies = (context: Context, own: Method): Promise<readonly BadInput[]> =>
  once(context, BAD_BODIES, async () => {
    const method = (await unlessFull(context, () => methodWithPoints(context))) ?? own;
    const valid = wholeList(method, [minimalPoint(context, 'a')]);
    return inTurn(Object.entries(QUESTIONABLE), async ([what, body]) => ({
      what,
      response: await context.send({ ...valid, body }, 'probe'),
    }));
  });

const REPLACES = 'delivery.batch.replaces-all';

const malformedBodies = check(
  'envelope.delivery.malformed-body',
  'MUST refuse malformed Delivery bodies and parameters with the error envelope',
  { clauses: ['envelope.v1.malformed-input'], ...OWN_METHODS, shares: BAD_BODIES },
  async (context) => {
    const method = await methodWith(context, [minimalPoint(context, 'old')]);
    const bodies = Object.entries(UNPARSABLE_BODIES);
    for (const [n, [what, broken]] of bodies.entries()) {
      // Another list each time, because a service may refuse one that changes nothing.
      const valid = context.asSent(wholeList(method, [minimalPoint(context, `a${n}`)]));
      const { probe } = await context.expect.refuses(asText(valid), () => broken(valid), {
        clause: REPLACES,
        change: what,
      });
      expectEnvelope(context, what, probe);
    }
    // Directly after a refused call the next one has to do all that it does otherwise.
    const ids = idsOf(await listPoints(context, method));
    const last = `a${bodies.length - 1}`;
    context.given.holds(ids.join() === last, REPLACES, `a list that follows a refused one leaves ${ids.join(', ')}`);
    await storesWhatItServes(context, method, ids.length);
    for (const { what, response } of await questionableBodies(context, method))
      if (isRefused(response) === 'refused') expectEnvelope(context, what, response);
    const there = context.delivery.readMethod(method.handle);
    for (const [what, call] of Object.entries(truncatedCalls(context, method.handle))) {
      const response = await context.expect.responseTo(call, what, there);
      context.expect.that(!isServed(response), `must refuse ${what}`, {
        expected: 'a refusal: 4XX or 5XX with the error envelope',
        actual: response.status,
        response,
      });
      if (isRefused(response) === 'refused') expectEnvelope(context, what, response);
    }
    for (const [what, call] of Object.entries(questionableCalls(context, method.handle, last))) {
      const response = await context.expect.responseTo(call, what, there);
      if (isRefused(response) === 'refused') expectEnvelope(context, what, response);
    }
  },
);

/**
 * Adds that name no point: a service may refuse them, or store a point under an id of its own. The first one that is served decides, since
 * a second point without an id may replace it. Whatever is stored, also by a list, has an id.
 */
async function storesWhatItServes(context: Context, method: Method, count: number): Promise<void> {
  const { delivery, given, send } = context;
  const { id: _, ...unnamed } = minimalPoint(context, 'unnamed');
  const add = delivery.addPoint(method.handle, unnamed);
  for (const [what, call] of [
    ['a new point without a body', { ...add, body: QUESTIONABLE['an empty body'] }],
    ['a new point without an id', add],
  ] as const) {
    const response = await send(call as ServiceRequest, 'probe');
    if (isRefused(response) === 'refused') expectEnvelope(context, what, response);
    if (!isServed(response)) continue;
    const listed = (await listPoints(context, method)).length;
    const rule = `${what} is served, and no point is added`;
    given.holds(listed > count, 'delivery.point.create-stores', rule, { response });
    await givenAllNamed(context, method, what, response);
    break;
  }
  const inList = await send(wholeList(method, [unnamed]), 'probe');
  if (isServed(inList)) await givenAllNamed(context, method, 'a list with a point without an id', inList);
}

/** States that each point of a method is listed under an id. */
async function givenAllNamed(context: Context, method: Method, what: string, response: ServiceResponse): Promise<void> {
  const named = (await listPoints(context, method)).every(({ id }) => typeof id === 'string' && id !== '');
  const message = `${what} is served, and the point is listed without an id`;
  context.given.holds(named, 'delivery.point.id-unique', message, { response });
}

/** Calls of the other operations whose bodies break off: no reading of them holds a field. */
const truncatedCalls = ({ delivery }: Context, handle: string): Readonly<Record<string, ServiceRequest>> => ({
  'a truncated change of a method': notJson(delivery.changeMethod(handle, { title: 'Proofmark' })),
  'a truncated point': notJson(delivery.addPoint(handle, { id: 'b', title: 'Proofmark' })),
});

const withPageSize = (call: ServiceRequest, size: string): ServiceRequest => ({
  ...call,
  query: [['page_size', size]],
});

/** Calls of the other operations that a service may refuse or make sense of, which may have a validation of their own. */
function questionableCalls(
  { delivery }: Context,
  handle: string,
  id: string,
): Readonly<Record<string, ServiceRequest>> {
  return {
    'a change of a method with a number for a title': delivery.changeMethod(handle, { title: 7 }),
    'a point with a number for a country': delivery.changePoint(handle, id, { country: 7 }),
    'a list of methods with a page_size that is a word': withPageSize(delivery.listMethods(), 'many'),
    'a list of points with a page_size that is a word': withPageSize(delivery.listPoints(handle), 'many'),
    'a list of methods with a page_size of 0': withPageSize(delivery.listMethods(), '0'),
    'a list of points with a page_size of -1': withPageSize(delivery.listPoints(handle), '-1'),
  };
}

const badInputIs4xx = check(
  'envelope.delivery.bad-input-status',
  'SHOULD refuse invalid Delivery input with a 4XX instead of a 5XX',
  {
    clauses: ['envelope.v1.bad-input-is-4xx'],
    observations: ['envelope.errors.code-for-bad-input'],
    ...OWN_METHODS,
    shares: BAD_BODIES,
  },
  async (context) => {
    const method = await methodWithPoints(context);
    const responses = await responsesToBadInput(context, method, wholeList(method, pointsAt(context, ['a'])));
    const seen = responses.map(({ what, response }) => [what, handlingOf(response)]);
    context.observe('envelope.errors.code-for-bad-input', Object.fromEntries(seen));
    for (const { what, response } of responses) {
      // Without any envelope these may come from a gateway in front of the service, and say nothing about the input.
      if (isRefused(response) === 'unavailable') continue;
      context.expect.that(response.status < 500, `${what} is reported as a failure of the service`, {
        expected: 'a 4XX status',
        actual: response.status,
        pointer: 'status',
        response,
      });
    }
  },
);

async function responsesToBadInput(
  context: Context,
  method: Method,
  valid: ServiceRequest,
): Promise<readonly BadInput[]> {
  const { delivery } = context;
  const unknown = context.resources.newMark();
  const tooMany = { json: { pickup_points: pointsAt(context, idsFrom('p', 101)) } };
  const calls: [string, ServiceRequest][] = [
    ...Object.entries(UNPARSABLE_BODIES).map(([what, broken]): [string, ServiceRequest] => [what, broken(valid)]),
    ['101 points', { ...valid, body: tooMany }],
    ['a path that does not exist', delivery.call('GET', `store/${unknown}/`)],
    ['a method that does not exist', delivery.readMethod(unknown)],
    ['a point that does not exist', delivery.readPoint(method.handle, unknown)],
    [
      'a change of a point that does not exist',
      delivery.changePoint(method.handle, unknown, changeOfPoint(context, 'Riga')),
    ],
    ['a deletion of a point that does not exist', delivery.deletePoint(method.handle, unknown)],
    ...['many', '0', '-1'].map((size): [string, ServiceRequest] => [
      `a page_size of ${size}`,
      withPageSize(delivery.listMethods(), size),
    ]),
  ];
  const responses = await inTurn(calls, async ([what, call]) => ({
    what,
    response: await context.send(call, 'probe'),
  }));
  return [...responses, ...(await questionableBodies(context, method))];
}

export const checks: readonly Check[] = [
  refusesUnknownPaths('envelope.delivery.unknown-path', 'SHOULD refuse unknown Delivery paths', UNKNOWN_PATHS),
  refusesWithEnvelope(
    'envelope.delivery.unknown-path-envelope',
    'MUST refuse unknown Delivery paths with the error envelope and not with a page',
    UNKNOWN_PATHS,
  ),
  oddAddresses,
  malformedBodies,
  badInputIs4xx,
];
