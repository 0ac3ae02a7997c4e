/** The operations of the documents, by the one name that the client, the mock, the traffic rules and the reports use. */
import { OPERATIONS } from '../generated/operations.generated.ts';

export { OPERATIONS };

/** `operationId` of the documents, without the suffix for GET or POST of Reseller: `listWebsites`. */
export type OperationId = keyof typeof OPERATIONS;

/** What the service answers below its bases; the other operations are requests to pages of integrators, and label callbacks. */
export type ServiceInterface = 'delivery' | 'apps' | 'reseller';

/** The operations of one interface. */
export type OperationsOf<I extends string> = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]['iface'] extends I ? Id : never;
}[OperationId];

/** Names in braces of the path of an operation. */
export type ParametersOf<Id extends OperationId> = NamesIn<(typeof OPERATIONS)[Id]['template']>;
type NamesIn<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The ids of the operations of one interface, in the order of the documents. */
export function operationsOf<I extends ServiceInterface>(iface: I): OperationsOf<I>[] {
  return (Object.keys(OPERATIONS) as OperationId[]).filter(
    (id): id is OperationsOf<I> => OPERATIONS[id].iface === iface,
  );
}

/**
 * The path of an operation below the base of its interface. Values are put in as they are: encode them first.
 *
 * @example pathOf('readMethod', { handle: 'm-7' }) // 'store/delivery_method/m-7/'
 */
export function pathOf<Id extends OperationsOf<ServiceInterface>>(
  id: Id,
  values: Readonly<Record<ParametersOf<Id>, string>>,
): string {
  const { template } = OPERATIONS[id];
  return template.slice(1).replace(/\{(\w+)\}/g, (_all, name: string) => values[name as ParametersOf<Id>]);
}
