/** Single pickup points: list, read, add, change, delete; the last three on several methods at once. */

import type { ServedOperations } from '../http/interface.ts';
import { refuse } from '../http/refusal.ts';
import type { Method } from '../state/state.ts';
import { listingOf, type PointList } from '../storage/point-list.ts';
import type { Point } from '../types/point.ts';
import type { MockService } from '../types/service.ts';
import { objectField, pointInput } from './input.ts';
import { callerOf, changeableMethods, pageResponse, readableMethod } from './owner.ts';

export const pointOperations = {
  listPoints: {
    changes: false,
    run: (service, call) => {
      const owner = callerOf(service, call);
      const method = readableMethod(service, owner, call);
      const list = service.state.points.of(method.handle);
      const shown = list.upload && !service.rules.listedDuringUpload() ? listingOf<Point>([], () => 0) : list;
      return pageResponse(service, call, 'pickup_points', shown, (point) =>
        service.rules.renderPoint(point, owner.site),
      );
    },
  },
  readPoint: {
    changes: false,
    run: (service, call) => {
      const owner = callerOf(service, call);
      const method = readableMethod(service, owner, call);
      const list = service.state.points.of(method.handle);
      const point = list.upload && !service.rules.listedDuringUpload() ? undefined : list.get(call.segments.point!);
      if (!point) return noPoint(method, call.segments.point!);
      return service.rules.single('pickup_point', service.rules.renderPoint(point, owner.site));
    },
  },
  addPoint: {
    changes: true,
    run: (service, call) => {
      const { rules } = service;
      const owner = callerOf(service, call);
      const methods = changeableMethods(service, owner, call);
      const input = pointInput(rules, objectField(call.body, 'pickup_point'), owner.site);
      const { id } = input;
      if (id === undefined) return refuse('invalid', 'pickup_point.id is missing.');
      const point = rules.mergePoint(null, id, input, owner.site);
      for (const list of listsOf(service, methods)) {
        if (!list.get(id)) rules.addPoint(list, point);
        else if (rules.duplicatePoint(id) === 'replace') list.replace(point);
        else return refuse('conflict', `${list.handle} has a pickup point ${JSON.stringify(id)} already.`);
      }
      return rules.successEnvelope('delivery');
    },
  },
  changePoint: {
    changes: true,
    run: (service, call) => {
      const { rules } = service;
      const owner = callerOf(service, call);
      const methods = changeableMethods(service, owner, call);
      const id = call.segments.point!;
      const lists = listsOf(service, methods);
      for (const list of lists) if (!list.get(id)) return noPoint({ handle: list.handle }, id);
      const input = pointInput(rules, objectField(call.body, 'pickup_point'), owner.site);
      if (input.id !== undefined && input.id !== id) {
        return refuse('invalid', 'The id of a pickup point does not change: delete it and add another.');
      }
      for (const list of lists) list.replace(rules.mergePoint(list.get(id)!, id, input, owner.site));
      return rules.successEnvelope('delivery');
    },
  },
  deletePoint: {
    changes: true,
    run: (service, call) => {
      const { rules } = service;
      const methods = changeableMethods(service, callerOf(service, call), call);
      const id = call.segments.point!;
      for (const list of listsOf(service, methods)) {
        if (!list.get(id)) return noPoint({ handle: list.handle }, id);
        rules.removePoint(list, id);
      }
      return rules.successEnvelope('delivery');
    },
  },
} satisfies Partial<ServedOperations<'delivery'>>;

function listsOf(service: MockService, methods: readonly Method[]): PointList[] {
  return methods.map(({ handle }) => service.state.points.of(handle));
}

const noPoint = (method: { handle: string }, id: string): never =>
  refuse('not-found', `${method.handle} has no pickup point ${JSON.stringify(id)}.`);
