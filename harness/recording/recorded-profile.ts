/** A profile in a recording: resolved, secrets as ids; and back, with stand-ins and without any way to a network. */
import type { Profile } from '../target/profile/types.ts';
import { Secret } from '../target/secrets/secret.ts';
import type { NamedStandIn } from './format.ts';
import type { StandIns } from './stand-in.ts';

/** Parts that lead to the network, to files or to a driver: a replay has none of them. */
const LEFT_OUT = new Set(['driver', 'proxy', 'tls', 'secrets', 'toShareable', 'file']);

interface FrozenSecret {
  readonly $secret: readonly [id: string, name: string, printed: string];
}
interface FrozenText {
  /** Pieces of a text, and ids of the secrets between them. */
  readonly $text: readonly (string | { readonly id: string })[];
}
interface FrozenSet {
  readonly $set: readonly unknown[];
}

/** The profile as JSON, and the stand-ins of its secrets in the order in which a run learns them. */
export function recordProfile(profile: Profile, standIns: StandIns): { profile: unknown; secrets: NamedStandIn[] } {
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  const secrets: NamedStandIn[] = [];
  const idOf = (name: string, value: string): string => {
    const known = ids.get(value);
    if (known !== undefined) return known;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const id = `${name}#${count}`;
    ids.set(value, id);
    secrets.push([id, standIns.opaque(value)]);
    return id;
  };
  for (const secret of profile.secrets()) idOf(secret.name, secret.reveal());

  const freeze = (value: unknown): unknown => {
    if (value instanceof Secret)
      return { $secret: [idOf(value.name, value.reveal()), value.name, String(value)] } satisfies FrozenSecret;
    if (typeof value === 'string') return textOf(value, ids);
    if (value instanceof Set) return { $set: [...value] } satisfies FrozenSet;
    if (Array.isArray(value)) return value.map(freeze);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, freeze(member)]));
  };
  const kept = Object.entries(profile).filter(([key]) => !LEFT_OUT.has(key));
  return { profile: Object.fromEntries(kept.map(([key, value]) => [key, freeze(value)])), secrets };
}

/** A text that holds secrets of the environment (a custom field's expected value) in pieces; longer secrets first. */
function textOf(text: string, ids: ReadonlyMap<string, string>): string | FrozenText {
  let pieces: (string | { id: string })[] = [text];
  for (const [value, id] of [...ids].sort(([a], [b]) => b.length - a.length)) {
    pieces = pieces.flatMap((piece) =>
      typeof piece !== 'string'
        ? [piece]
        : piece.split(value).flatMap((part, at) => (at === 0 ? [part] : [{ id }, part])),
    );
  }
  return pieces.length === 1 ? text : { $text: pieces.filter((piece) => piece !== '') };
}

/** The profile of a replay; `file` is what messages call it. */
export function restoreProfile(frozen: unknown, secrets: readonly NamedStandIn[], file: string): Profile {
  const standIns = new Map(secrets);
  const all: Secret[] = [];
  const standIn = (id: string): string => standIns.get(id) ?? `stand-in-of-${id}`;
  const restore = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(restore);
    if (typeof value !== 'object' || value === null) return value;
    if ('$secret' in value) {
      const [id, name, printed] = (value as FrozenSecret).$secret;
      return new Secret(name, standIn(id), printed);
    }
    if ('$set' in value) return new Set((value as FrozenSet).$set);
    if ('$text' in value)
      return (value as FrozenText).$text
        .map((piece) => (typeof piece === 'string' ? piece : standIn(piece.id)))
        .join('');
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restore(member)]));
  };
  const profile = restore(frozen) as Profile;
  for (const [id, value] of secrets) all.push(new Secret(id.slice(0, id.lastIndexOf('#')), value));
  return {
    ...profile,
    file,
    driver: undefined,
    proxy: undefined,
    tls: undefined,
    secrets: () => [...all],
    toShareable: () => undefined,
  };
}
