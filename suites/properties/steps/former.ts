/** What was set is to take the place of what was there: whether it did. */
import { isJsonObject } from '../../../contracts/json/object.ts';

/** Whether something of the former value is where it was not set: a key at any level, or its text beside the new one. */
export function holdsOf(former: unknown, value: unknown, read: unknown): boolean {
  if (typeof former === 'string')
    return typeof read === 'string' && former !== '' && read !== value && read.includes(former);
  if (!isJsonObject(former) || !isJsonObject(read)) return false;
  return Object.keys(former).some((name) => {
    if (!Object.hasOwn(read, name)) return false;
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return true;
    return holdsOf(former[name], value[name], read[name]);
  });
}
