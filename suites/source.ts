/** Where checks are written: the generated table, laid over the suites once. */
import { SOURCES } from './sources.generated.ts';

interface Group {
  readonly checks: readonly { readonly id: string }[];
}

/** The same suites, each check with the file and line where it is written. */
export function withSources<S extends Group>(suites: readonly S[]): readonly S[] {
  return suites.map((suite) => ({
    ...suite,
    checks: suite.checks.map((check) => {
      const source = SOURCES[check.id];
      return source === undefined ? check : { ...check, source };
    }),
  }));
}
