/** Bodies that clients send and some frameworks do not read: long ones, JSON with a charset, and JSON that is written in another way. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, pointsAt, portion, wholeList } from '../../delivery/batch/calls.ts';
import { changedFields, POINT_FIELDS, websiteOf } from '../../delivery/steps/fields.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { listPoints, type Method } from '../../delivery/steps/reading.ts';
import { changeOfMethod } from '../../delivery/steps/values.ts';
import { asText } from './bad-bodies.ts';

/** Opening hours as a delivery company has them; 100 points with these are longer than 100 KB, the limit of a common framework. */
const HOURS: Json = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
    day,
    `08:00-20:00, parcels until 19:30, ${'by the side entrance, '.repeat(6)}closed on holidays`,
  ]),
);

const charset = check(
  'envelope.delivery.charset-parameter',
  'SHOULD read a JSON body whose content type names its charset',
  { clauses: ['envelope.delivery.charset-parameter'], ...OWN_METHODS },
  async (context) => {
    const { delivery, expect, given, send } = context;
    const { handle } = await given.newMethod(delivery);
    const change = (): ServiceRequest => delivery.changeMethod(handle, changeOfMethod(context));
    await given.accepted(send(change(), 'control'), 'delivery.method.update-applies');
    // As text it would reach the service without plain values, where the target refuses those of the check.
    const call = asText(context.asSent(change()));
    const { raw, contentType } = call.body as { raw: string; contentType: string };
    const body = { raw, contentType: 'application/json; charset=utf-8' };
    const response = await send({ ...call, body }, 'probe');
    const message = 'an update should be served with the charset of its JSON';
    // Where the same text is served without the charset, the refusal is not one of its values.
    const isOfCharset =
      isRefusalOfPromise(response) && isServed(await send({ ...call, body: { raw, contentType } }, 'control'));
    if (isOfCharset) expect.served(response, message);
    else expect.accepted(response, message);
  },
);

const longList = check(
  'envelope.delivery.long-list',
  'SHOULD accept 100 points in one call where it accepts each half of them',
  { clauses: ['envelope.delivery.long-list'], ...OWN_METHODS },
  async (context) => {
    const { delivery, expect, given, send } = context;
    const method = await given.newMethod(delivery);
    const points = pointsAt(context, idsFrom('long', MAX_PORTION_ITEMS), { attributes: HOURS });
    const response = await send(wholeList(method, points));
    if (isServed(response)) return expect.served(response, 'a list of 100 points with long attributes');
    const middle = points.length / 2;
    for (const half of [points.slice(0, middle), points.slice(middle)])
      await given.accepted(send(wholeList(method, half), 'control'), 'delivery.batch.replaces-all');
    expect.that(!isRefusalOfPromise(response), 'should accept 100 points in one call, because it accepts each half', {
      expected: 'a success',
      actual: summary(response),
      response,
    });
  },
);

const REPLACES = 'delivery.batch.replaces-all';
const STORES = 'delivery.point.create-stores';
const UNION = 'delivery.batch.finalization-publishes';
const APPLIES = 'delivery.point.update-applies';

/** The same JSON in lines, with the members of the body, of its points and of their titles and attributes in reverse order. */
function writtenOtherwise(call: ServiceRequest): ServiceRequest {
  const { body } = asText(call) as { body: { raw: string; contentType: string } };
  const turned = (value: unknown, depth = 3): unknown => {
    if (Array.isArray(value)) return value.map((item) => turned(item, depth));
    if (!isJsonObject(value) || depth === 0) return value;
    const members = Object.entries(value).map(([name, member]) => [name, turned(member, depth - 1)] as const);
    return Object.fromEntries(members.reverse());
  };
  return { ...call, body: { ...body, raw: `${JSON.stringify(turned(JSON.parse(body.raw)), undefined, 2)}\n` } };
}

const otherwise = check(
  'envelope.delivery.written-otherwise',
  'MUST read a JSON body whatever the order of its members and the spaces between them',
  { clauses: [REPLACES, STORES, UNION, APPLIES], ...OWN_METHODS, additional: true },
  async (context) => {
    const { delivery, expect, given, send } = context;
    const method = await given.newMethod(delivery);
    const [point, ...others] = withTexts(context, pointsAt(context, ['a', 'b', 'c'])) as [Json, ...Json[]];
    await given.accepted(send(wholeList(method, [point, ...others]), 'control'), REPLACES);
    const before = await byId(context, method);
    const sendOtherwise = async (call: ServiceRequest): Promise<void> => {
      // As text it would reach the service without plain values, where the target refuses those of the check.
      const sent = context.asSent(call);
      const response = await send(writtenOtherwise(sent), 'probe');
      // Where the same JSON is served as it is usually written, the refusal is not one of its values.
      const isOfForm = isRefusalOfPromise(response) && isServed(await send(asText(sent), 'control'));
      if (!isOfForm) expect.accepted(response, `${call.path} should be served`);
      expect.served(response, `${call.path} must be served with its JSON in lines and its members in reverse order`);
    };
    const expectSame = async (clause: string): Promise<void> => {
      const after = await byId(context, method);
      const isComplete = isDeepStrictEqual([...after.keys()].toSorted(), [...before.keys()].toSorted());
      expect.that(isComplete, 'JSON in lines, with its members in reverse order, must bring the same points', {
        clauses: [clause],
        expected: [...before.keys()],
        actual: [...after.keys()],
      });
      for (const [id, fields] of before) {
        const now = after.get(id) ?? {};
        const changed = changedFields(context, POINT_FIELDS, fields, now);
        expect.that(
          changed.length === 0,
          `JSON in lines must bring the same ${changed.join(' and ')} of the point ${id}`,
          {
            clauses: [clause],
            expected: fields,
            actual: now,
          },
        );
      }
    };
    await sendOtherwise(wholeList(method, [point, ...others]));
    await expectSame(REPLACES);
    await given.promised(send(delivery.deletePoint(method.handle, 'a'), 'delete'), 'delivery.point.delete-removes');
    await sendOtherwise(delivery.addPoint(method.handle, point));
    await expectSame(STORES);
    // Where the flags of portions come before their points.
    await sendOtherwise(portion(method, [point], 'first'));
    await sendOtherwise(portion(method, others, 'last'));
    await expectSame(UNION);
    // An update that changes nothing may be refused.
    const [second] = others as [Json];
    const update = context.asSent(delivery.changePoint(method.handle, 'b', { title: second.title }));
    if (isServed(await send(writtenOtherwise(update), 'probe'))) await expectSame(APPLIES);
  },
);

/** The points with another title in each language of the website, so that one in the place of another shows. */
function withTexts(context: Context, points: readonly Json[]): readonly Json[] {
  const { languages } = websiteOf(context);
  if (context.sendsMinimum || languages.length < 2) return points;
  return points.map((point) => ({
    ...point,
    title: Object.fromEntries(languages.map((language) => [language, `Station ${point.id} ${language}`])),
  }));
}

const byId = async (context: Context, method: Method): Promise<Map<unknown, Json>> =>
  new Map((await listPoints(context, method)).map((point) => [point.id, point]));

export const checks: readonly Check[] = [charset, longList, otherwise];
