/** Delivery methods: list, read, create, update, delete; and the settings that stores keep for a delivery provider. */

import type { ServedOperations } from '../http/interface.ts';
import { refuse } from '../http/refusal.ts';
import { type Method, nextNumber } from '../state/state.ts';
import { listingOf } from '../storage/point-list.ts';
import type { MockService } from '../types/service.ts';
import { methodInput, objectField } from './input.ts';
import { callerOf, changeableMethod, pageResponse, readableMethod } from './owner.ts';

export const methodOperations = {
  listMethods: {
    changes: false,
    run: (service, call) => {
      const owner = callerOf(service, call);
      const methods = service.state.methods.filter((method) => service.rules.ownerMayList(owner, method));
      const list = listingOf(methods, ({ number }) => number);
      return pageResponse(service, call, 'delivery_methods', list, (method) =>
        service.rules.renderMethod(method, owner.site),
      );
    },
  },
  readMethod: {
    changes: false,
    run: (service, call) => {
      const owner = callerOf(service, call);
      const method = readableMethod(service, owner, call);
      return service.rules.single('delivery_method', service.rules.renderMethod(method, owner.site));
    },
  },
  addMethod: {
    changes: true,
    run: (service, call) => {
      const { rules, state } = service;
      const owner = callerOf(service, call);
      const input = methodInput(rules, objectField(call.body, 'delivery_method'), owner.site);
      const handle = unusedHandle(service);
      const fields = rules.mergeMethod(null, input, owner.site);
      const method: Method = {
        handle,
        number: nextNumber(state, 'method'),
        owner: owner.id,
        name: rules.methodName(handle, fields.title, owner.site),
        ...fields,
      };
      state.methods.set(handle, method);
      return rules.methodCreated(method, rules.renderMethod(method, owner.site));
    },
  },
  changeMethod: {
    changes: true,
    run: (service, call) => {
      const { rules, state } = service;
      const owner = callerOf(service, call);
      const before = changeableMethod(service, owner, call);
      const input = methodInput(rules, objectField(call.body, 'delivery_method'), owner.site);
      const method = { ...before, ...rules.mergeMethod(before, input, owner.site) };
      state.methods.set(before.handle, method);
      return rules.methodUpdated(method, rules.renderMethod(method, owner.site));
    },
  },
  deleteMethod: {
    changes: true,
    run: (service, call) => {
      const method = changeableMethod(service, callerOf(service, call), call);
      removeMethod(service, method.handle);
      return service.rules.successEnvelope('delivery');
    },
  },
  readProviderSettings: {
    changes: false,
    run: (service, call) => {
      const { rules, state } = service;
      const owner = callerOf(service, call);
      if (!rules.mayAskSettings(owner)) return refuse('forbidden', 'Only a delivery provider has custom fields.');
      const uuid = Object.hasOwn(call.body, 'order_uuid') ? call.body.order_uuid : undefined;
      if (typeof uuid !== 'string' || uuid === '') return refuse('invalid', 'order_uuid must be a string.');
      const order = state.orders.get(uuid);
      if (!order || !rules.orderIsOf(owner, order))
        return refuse('not-found', 'There is no such order of your methods.');
      const website = state.websites.get(String(order.websiteId));
      if (!website) return refuse('not-found', 'There is no such order of your methods.');
      return { fields: rules.settingsFields(order, owner.provider, website) };
    },
  },
} satisfies Partial<ServedOperations<'delivery'>>;

function unusedHandle(service: MockService): string {
  for (;;) {
    const handle = service.rules.newHandle(service.random);
    if (!service.state.methods.has(handle)) return handle;
  }
}

/** Deletes a method with its points; orders keep a copy of their method. */
function removeMethod(service: MockService, handle: string): void {
  const { state } = service;
  state.methods.delete(handle);
  state.points.drop(handle);
  state.dynamicCheckouts.delete(handle);
  for (const website of state.websites.all()) {
    if (!website.enabledMethods.includes(handle)) continue;
    state.websites.patch(String(website.id), {
      enabledMethods: website.enabledMethods.filter((enabled) => enabled !== handle),
    });
  }
}
