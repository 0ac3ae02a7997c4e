/** The paths of the interfaces, and the one nearest to a wrong path. */
import { OPERATIONS, operationsOf } from '../../contracts/operations/index.ts';
import type { Interface } from '../http/call.ts';

const BASE: Readonly<Record<Interface, string>> = { delivery: '/v1', apps: '/v1', reseller: '/api' };
const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
const isValue = (part: string): boolean => part.startsWith('{');

const templates = (['delivery', 'apps', 'reseller'] as const).flatMap((iface) =>
  operationsOf(iface).map((id) => ({ iface, segments: segmentsOf(BASE[iface] + OPERATIONS[id].template) })),
);

export const PATHS = {
  /** Whether the interface has a path of this form. */
  has(iface: Interface, path: string): boolean {
    const segments = segmentsOf(path);
    return templates.some((one) => one.iface === iface && differences(one.segments, segments) === 0);
  },
  /** The path of an interface that was called below another base, or below none. */
  below(path: string): string | undefined {
    const segments = segmentsOf(path);
    const rest = segments.slice(
      segments.findLastIndex((part, at) => at < MAX_BASE_SEGMENTS && /^(?:v\d+|api)$/i.test(part)) + 1,
    );
    const meant = templates.find((one) => rest.length > 0 && differences(one.segments.slice(1), rest) === 0);
    return meant && `this path is below another base: /${meant.segments.join('/')}/`;
  },
  /** The nearest path that it has. */
  hint(iface: Interface, path: string): string {
    const segments = segmentsOf(path);
    const near = templates
      .filter((one) => one.iface === iface)
      .map((one) => ({ ...one, apart: distance(one.segments, segments) }))
      .toSorted((a, b) => a.apart - b.apart)[0];
    const all = 'all paths are listed at /docs';
    return near === undefined || near.apart > LENGTH_WEIGHT
      ? `${PATHS.below(path) ?? 'the interface has no such path'}: ${all}`
      : `the interface has no such path; did you mean /${near.segments.join('/')}/? ${all}`;
  },
};

/** The lesser of the distances as the path is, with the segment behind the base put in, and with the base once instead of twice. */
function distance(template: readonly string[], segments: readonly string[]): number {
  const [base = '', second = ''] = template;
  const [, ...rest] = segments;
  const inserted = MISSING_WEIGHT + differences(template, [base, second, ...rest]);
  const once = rest[0] === base ? MISSING_WEIGHT + differences(template, rest) : Infinity;
  return Math.min(differences(template, segments), inserted, once);
}

/** How far a path is from a template: segments that differ; one too many weighs more, and one too few less than a wrong one. */
function differences(template: readonly string[], segments: readonly string[]): number {
  const missing = template.length - segments.length;
  let apart = missing > 0 ? MISSING_WEIGHT * missing : -LENGTH_WEIGHT * missing;
  for (const [at, part] of template.entries()) {
    const segment = segments[at];
    if (segment !== undefined && !isValue(part) && part !== segment) apart += 1;
  }
  return apart;
}

/** Bases are at the beginning of an address. */
const MAX_BASE_SEGMENTS = 3;
/** A larger distance gives no suggestion. */
const LENGTH_WEIGHT = 1.5;
/** A missing segment at the end is more likely than another path: enabling premium without its subscription. */
const MISSING_WEIGHT = 0.9;
