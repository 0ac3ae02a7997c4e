/** One line for each check that deserves one, as a workflow command of GitHub Actions. */
export function annotationsOf(results: { readonly checks: readonly object[] }): string[];
