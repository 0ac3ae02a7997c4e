/**
 * Finds our own modules by their addresses alone. For each of several hundred imports Node asks the system for the file, its real path
 * and the nearest package.json, which is a quarter of the time that loading the checks takes. Here every import names its file, and all
 * are modules of one kind. Processes that load the checks import this first (`--import`).
 */
import { registerHooks } from 'node:module';

/** `.ts` in a checkout, `.js` in the package. */
const [EXTENSION, FORMAT] = import.meta.url.endsWith('.ts') ? ['.ts', 'module-typescript'] : ['.js', 'module'];
const ROOT = new URL('../../', import.meta.url).href;

/** In the checkout or the package, and not in what is installed there. */
const isOwn = (url: string): boolean => url.startsWith(ROOT) && !url.includes('/node_modules/', ROOT.length);

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL } = context;
    if (specifier.startsWith('.') && specifier.endsWith(EXTENSION) && parentURL !== undefined && isOwn(parentURL)) {
      const url = new URL(specifier, parentURL).href;
      if (isOwn(url)) return { url, format: FORMAT, shortCircuit: true };
    }
    return next(specifier, context);
  },
});
