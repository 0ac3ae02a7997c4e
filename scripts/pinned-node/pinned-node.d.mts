export interface PinnedBinary {
  readonly name: string;
  readonly path: string;
}
/** Whether a version such as `v22.20.0` is recent enough. */
export function isRecent(version: string): boolean;
/** The package with the pinned Node of a platform, and the path of its binary. */
export function pinnedBinary(platform?: string, arch?: string): PinnedBinary;
/** Throws an Error unless the binary has the digest that `pinned-node/digests.json` records for its package. */
export function verifyPinned(binary: PinnedBinary): void;
/** Path of the Node that runs the project. Throws an Error whose message says what to do. */
export function projectNode(version?: string, binary?: PinnedBinary): string;
