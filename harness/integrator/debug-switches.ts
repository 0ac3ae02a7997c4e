/**
 * Parameters by which programs are made to skip a verification during development, and that stay in them. All are sent with one request,
 * because what names none of them ignores all.
 */
type Pairs = readonly (readonly [name: string, value: string])[];

const NAMES = [
  'debug',
  'debug_mode',
  'test',
  'testing',
  'test_mode',
  'testmode',
  'dev',
  'dev_mode',
  'devmode',
  'demo',
  'preview',
  'sandbox',
  'staging',
  'mock',
  'internal',
  'admin',
  'trusted',
  'bypass',
  'skip',
  'force',
  'skip_verify',
  'skip_verification',
  'skip_hash',
  'skip_signature',
  'skip_check',
  'skip_auth',
  'noverify',
  'no_verify',
  'nocheck',
  'no_check',
  'noauth',
  'no_auth',
  'insecure',
  'verified',
];
const OFF = ['verify', 'check', 'secure'];

/** Once with the values of numbers and once with those of words. */
export const DEBUG_SWITCHES: readonly (readonly [change: string, switches: Pairs])[] = [
  ['debug=1 and the like', switches('1', '0', 'debug', 'dev')],
  ['debug=true and the like', switches('true', 'false', 'test', 'development')],
];

function switches(on: string, off: string, mode: string, env: string): Pairs {
  const named: Pairs = [
    ['mode', mode],
    ['env', env],
    ['environment', env],
  ];
  return [...NAMES.map((name) => [name, on] as const), ...OFF.map((name) => [name, off] as const), ...named];
}
