/** Batch replace: a list of pickup points in one call, or in portions that are published together with the last one. */
import type { ServiceRequest } from '../http/call.ts';
import type { ServedOperations } from '../http/interface.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { isObject } from '../http/request.ts';
import type { Owner } from '../rules/delivery.ts';
import type { PointList } from '../storage/point-list.ts';
import type { Point } from '../types/point.ts';
import type { MockService } from '../types/service.ts';
import { countryField, flagField, pointInput } from './input.ts';
import { callerOf, changeableMethods } from './owner.ts';

export const batchOperations = {
  batchReplace: {
    changes: true,
    run: (service, call) => {
      const { rules, state } = service;
      const owner = callerOf(service, call);
      const methods = changeableMethods(service, owner, call);
      const country = countryField(rules, call.body) ?? null;
      const first = rules.isInitialization(flagField(call.body, 'is_initialization'));
      const last = rules.isFinalization(flagField(call.body, 'is_finalization'));
      const points = pointsOf(service, call, owner, country);
      for (const { handle } of methods) {
        const list = state.points.of(handle);
        if (first) rules.beginUpload(list, country);
        else continues(service, list, country);
        refuseRepeatedIds(service, list, points);
        rules.stage(list, points);
        if (last) {
          refuseClashes(service, list);
          rules.publish(list);
        }
      }
      return rules.successEnvelope('delivery');
    },
  },
} satisfies Partial<ServedOperations<'delivery'>>;

/** The points of the call, each of them complete. A duplicate id in one call is refused here. */
function pointsOf(service: MockService, call: ServiceRequest, owner: Owner, country: string | null): Point[] {
  const { rules } = service;
  const sent = Object.hasOwn(call.body, 'pickup_points') ? call.body.pickup_points : undefined;
  if (!Array.isArray(sent)) return refuse('invalid', 'pickup_points must be an array.');
  if (sent.length > rules.maxPortionItems()) {
    return refuse('too-many', `At most ${rules.maxPortionItems()} pickup points go into one call: send portions.`);
  }
  return sent.map((item, at) => {
    if (!isObject(item)) return refuse('invalid', `pickup_points[${at}] must be an object.`);
    const input = named(`pickup_points[${at}]`, () => pointInput(rules, item, owner.site));
    if (input.id === undefined) return refuse('invalid', `pickup_points[${at}].id is missing.`);
    if (country && input.country && input.country.toLowerCase() !== country.toLowerCase()) {
      return refuse(
        'invalid',
        `pickup_points[${at}] is in ${input.country}, but the call replaces those of ${country}.`,
      );
    }
    // A point without a country belongs to the country that is being replaced, or it would outlive the next replacement.
    const placed = country && !input.country ? { ...input, country } : input;
    return rules.mergePoint(null, input.id, placed, owner.site);
  });
}

/** Names the point in a refusal: a portion has up to a hundred. */
function named<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.kind, `${where}: ${error.message}`, error.headers);
    throw error;
  }
}

/** A portion continues the upload of its first portion, for the same country. */
function continues(service: MockService, list: PointList, country: string | null): void {
  if (!list.upload) {
    refuse('conflict', `${list.handle} has no upload in progress: start one with is_initialization true.`);
  }
  if (!service.rules.uploadFits(list, country)) {
    refuse('conflict', `The upload in progress for ${list.handle} is for another country.`);
  }
}

function refuseRepeatedIds(service: MockService, list: PointList, points: readonly Point[]): void {
  const id = service.rules.repeatedId(list, points);
  if (id !== null) refuse('conflict', `The id ${JSON.stringify(id)} is in the list already.`);
}

function refuseClashes(service: MockService, list: PointList): void {
  const id = service.rules.clashingId(list);
  if (id !== null) refuse('conflict', `The id ${JSON.stringify(id)} now belongs to a pickup point of another country.`);
}
