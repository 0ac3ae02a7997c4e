/** Headers that any sender can set, and by which programs trust a request: it comes from their own machine, or from a script of theirs. */
export const TRUSTED_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP'].map((name) => [name, '127.0.0.1'] as const),
  ['Forwarded', 'for=127.0.0.1'],
  ['X-Requested-With', 'XMLHttpRequest'],
];
