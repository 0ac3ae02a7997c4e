/** The file of `--keys`: names and values of what signs the traffic. */
import { isJsonObject } from '../../contracts/json/object.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { readFileOf } from '../common/files/read-file.ts';

export const KEYS_HELP = `  --keys FILE            JSON of names and keys, so that signatures and hashes are judged: {"API_KEY": "\${API_KEY}",
                         "APP_SECRET": "…"}; \${NAME} is read from the environment, and a name with "secret" in it
                         is an app's secret. Give every key that is used in this traffic`;

/** Reads keys by name. Throws a UsageError with one sentence; no message holds a value. */
export function readKeys(file: string | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {};
  const text = readFileOf(file, '--keys');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON: --keys needs an object such as {"API_KEY": "\${API_KEY}"}.`);
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0)
    throw new UsageError(`${file} contains no key: --keys needs an object such as {"API_KEY": "\${API_KEY}"}.`);
  return Object.fromEntries(Object.entries(value).map(([name, given]) => [name, keyOf(file, name, given)]));
}

function keyOf(file: string, name: string, given: unknown): string {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
    throw new UsageError(`${file}: "${name}" is not a name of letters, digits and underscores.`);
  if (typeof given !== 'string' || given === '') throw new UsageError(`${file}: ${name} is not a string.`);
  const variable = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(given)?.[1];
  if (variable === undefined) return given;
  const value = process.env[variable];
  if (value === undefined || value === '')
    throw new UsageError(`${file}: ${name} is \${${variable}}, and the environment has no ${variable}.`);
  return value;
}
