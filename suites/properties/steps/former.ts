/** What was set is to take the place of what was there: whether it did. */
import { isObject } from '../../../harness/target/response/judge-response.ts';

/** Whether something of the former value is where it was not set: a key at any level, or its text beside the new one. */
export function holdsOf(former: unknown, value: unknown, read: unknown): boolean {
  if (typeof former === 'string')
    return typeof read === 'string' && former !== '' && read !== value && read.includes(former);
  if (!isObject(former) || !isObject(read)) return false;
  return Object.keys(former).some((name) => {
    if (!Object.hasOwn(read, name)) return false;
    if (!isObject(value) || !Object.hasOwn(value, name)) return true;
    return holdsOf(former[name], value[name], read[name]);
  });
}
