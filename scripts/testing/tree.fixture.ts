import type { Tree } from './changed.ts';

/** A checkout of these files. */
export const treeOf = (texts: Readonly<Record<string, string>>): Tree => ({
  files: Object.keys(texts),
  read: (file) => texts[file] ?? '',
});
