/** Which part may import which, and that nothing imports itself in a circle (types included). Run by `npm test`. */

/** What each part may import beside itself and packages. `cli`, `proof`, `bench` and `scripts` may import everything. */
const MAY_IMPORT = {
  contracts: ['openapi'],
  openapi: [],
  harness: ['contracts'],
  suites: ['harness', 'contracts'],
  mock: ['contracts'],
  reports: ['contracts'],
  examples: ['contracts', 'harness', 'mock'],
};

/** Tests may use what they test it with. */
const TESTS = '[.](test|fixture)[.]ts$';

const directions = Object.entries(MAY_IMPORT).map(([part, others]) => ({
  name: `${part}-imports-only-${others.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^${part}/`, pathNot: TESTS },
  to: {
    path: '^(bench|cli|contracts|examples|harness|mock|openapi|proof|reports|scripts|suites)/',
    pathNot: `^(${[part, ...others].join('|')})/`,
  },
}));

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-proof-tests-the-independent-service',
      severity: 'error',
      from: { path: '^proof/independent/', pathNot: TESTS },
      to: { path: '^(contracts|harness|mock|suites|reports|cli)/' },
    },
    ...directions,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|dist|reports/latest)(/|$)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
