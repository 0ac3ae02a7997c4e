/**
 * Which addresses in recorded traffic are the service's interfaces. Much of the web has a `/v1/` or an `/api/`: a base counts
 * once something went to it that only this contract knows, or when the caller names it.
 */

import { type InterfaceName, isErrorEnvelope } from '../../envelopes/index.ts';
import { isJsonObject } from '../../json/object.ts';
import { OPERATIONS } from '../../operations/index.ts';
import { matchPath, type PathMatch } from '../../operations/match.ts';
import { parametersOf } from './parameters.ts';
import type { SeenExchange } from './seen.ts';

export interface Candidate {
  readonly document: InterfaceName;
  /** Origin and path, ends with `/v1/` or `/api/`. */
  readonly base: string;
  /** What follows it, as sent. */
  readonly behind: string;
  readonly match: PathMatch | undefined;
  /** The address lies beside the base: the version in front of the path is missing, or is another one. */
  readonly lacksVersion?: true;
}

/** The bases that an address could lie below, those first whose interface has the path. */
export function candidatesOf(seen: SeenExchange): Candidate[] {
  if (seen.origin === '') return [];
  const candidates: Candidate[] = [];
  const segments = /\/(v1|api)(?=\/)/g;
  for (let found = segments.exec(seen.path); found !== null; found = segments.exec(seen.path)) {
    const document = found[1] as InterfaceName;
    const end = found.index + found[0].length + 1;
    const behind = seen.path.slice(end);
    const base = seen.origin + seen.path.slice(0, end);
    candidates.push({ document, base, behind, match: matchPath(document, behind) });
  }
  return candidates.sort((a, b) => Number(b.match !== undefined) - Number(a.match !== undefined));
}

/** Paths that no other interface is likely to have. */
const TELLING_PATH = /^\/(?:store\/delivery_|apps\/(?:installed|set_snippet|get_snippet|set_data|get_data)\/)/;

/**
 * A path of Delivery or Apps from the root of a host, or of a folder, without the version or behind another one: the base that
 * the client meant.
 */
export function withoutVersion({ origin, path, status }: SeenExchange): Candidate | undefined {
  const [, folder, behind] =
    /^((?:\/[^/]+)*?)(?:\/(?!v1\/)[vV]\d[\w.]*)?\/((?:store\/delivery_|apps\/).*)$/.exec(path) ?? [];
  if (origin === '' || folder === undefined || behind === undefined || status < 400) return undefined;
  if (!TELLING_PATH.test(matchPath('v1', behind)?.template ?? '')) return undefined;
  return { document: 'v1', base: `${origin}${folder}/v1/`, behind, match: undefined, lacksVersion: true };
}

/** Whether an exchange shows that its base is the service's. */
export function isEvidence({ document, match }: Candidate, seen: SeenExchange): boolean {
  if (match === undefined) return false;
  if (document === 'v1') {
    if (TELLING_PATH.test(match.template)) return true;
    const hasCode = seen.query.some(([name]) => name.toLowerCase() === 'authcode');
    return hasCode || /^\s*ApiKey\s/.test(seen.header('authorization') ?? '');
  }
  const sent = [...seen.query, ...(seen.form ?? [])].some(([name]) => name === 'apiToken');
  if (sent) return true;
  const response = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
  if (match.template !== OPERATIONS.authorize.template || !isJsonObject(response)) return false;
  if (Object.hasOwn(response, 'apiToken') || isErrorEnvelope('api', response)) return true;
  const names = new Set(parametersOf(seen).map(([name]) => name));
  return match.exact && typeof response.error === 'boolean' && names.has('email') && names.has('password');
}
