/** What `proofmark init` writes: a profile, an env file to fill in, and a driver. None of them holds a secret. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolders } from '../../harness/process/make-folders.ts';
import { type ProfileValues, profileText, type TemplateOptions } from '../../harness/target/profile/files/template.ts';
import { type Permission, PROFILE_SHAPE, SCHEMA_FILE, type Shape } from '../../harness/target/profile/shape/index.ts';
import { CREDENTIALS } from './credentials.ts';
import { driverSkeleton } from './driver-skeleton.ts';

/** Everything that decides what is written. */
export interface Plan {
  readonly name: string;
  readonly v1: string | undefined;
  readonly api: string | undefined;
  /** Names of credentials. */
  readonly credentials: readonly string[];
  readonly allow: readonly Permission[];
  readonly absent: readonly string[];
  readonly hasDriver: boolean;
}

/** What the target returned, and what the operator answered about it. */
export interface Findings extends Pick<TemplateOptions, 'notes' | 'suggested'> {
  readonly languages?: readonly string[];
  readonly defaultLanguage?: string;
  readonly website?: number | string;
}

export interface FileText {
  readonly file: string;
  readonly text: string;
}

/** The files, the profile first. */
export function filesOf(profile: string, plan: Plan, findings: Findings = {}): FileText[] {
  const folder = dirname(profile);
  const driver = `${basename(profile).replace(/\.[^.]*$/, '')}.driver.ts`;
  return [
    { file: profile, text: profileOf(folder, plan, plan.hasDriver ? `./${driver}` : undefined, findings) },
    { file: join(folder, '.env.example'), text: envExample(plan) },
    ...(plan.hasDriver ? [{ file: join(folder, driver), text: driverSkeleton(plan.name) }] : []),
  ];
}

function profileOf(
  folder: string,
  plan: Plan,
  driver: string | undefined,
  { notes, suggested, ...found }: Findings,
): string {
  const values: Record<string, ProfileValues[string]> = {
    ...(existsSync(join(folder, SCHEMA_FILE)) ? { $schema: SCHEMA_FILE } : {}),
    name: plan.name,
    ...given({ v1: plan.v1, api: plan.api, driver }),
    ...(plan.absent.length === 0 ? {} : { absent: plan.absent }),
    ...(plan.allow.length === 0 ? {} : { allow: plan.allow }),
    website: given({ languages: found.languages, defaultLanguage: found.defaultLanguage }),
  };
  for (const { name, keys } of CREDENTIALS) {
    if (plan.credentials.includes(name)) for (const key of keys) put(values, key.split('.'), `\${${variableOf(key)}}`);
  }
  if (found.website !== undefined) put(values, ['reseller', 'website'], found.website);
  return profileText(values, {
    heading: [
      `Profile of ${plan.name} for proofmark run --target. A key in a comment has no value yet: what needs it is inconclusive.`,
      'Secrets are written as ${NAME} and come from the environment: .env.example lists them.',
    ],
    ...(notes === undefined ? {} : { notes }),
    ...(suggested === undefined ? {} : { suggested }),
  });
}

/** The variables by credential; those that the profile does not use yet are comments. */
function envExample(plan: Plan): string {
  const lines = CREDENTIALS.flatMap(({ name, about, keys }) => {
    const isUsed = plan.credentials.includes(name);
    return ['', `# ${about}`, ...keys.map((key) => `${isUsed ? '' : '# '}${variableOf(key)}=`)];
  });
  return `# Copy this file to .env, fill it in, and keep that out of version control: proofmark run --env-file .env
${lines.join('\n')}
`;
}

/** The name of the environment variable that the profile's table gives as the example of a secret. */
export function variableOf(key: string): string {
  let shape: Shape | undefined = PROFILE_SHAPE;
  for (const part of key.split('.')) shape = shape?.type === 'object' ? shape.fields[part] : undefined;
  const example = shape?.type === 'string' ? shape.example : '';
  return /^\$\{(.+)\}$/.exec(example)?.[1] ?? key;
}

function put(values: Record<string, ProfileValues[string]>, [first = '', ...rest]: string[], value: string | number) {
  if (rest.length === 0) {
    values[first] = value;
    return;
  }
  const inner = { ...((values[first] ?? {}) as ProfileValues) };
  put(inner, rest, value);
  values[first] = inner;
}

const given = (values: ProfileValues): ProfileValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Files that exist and hold something else. */
export const existing = (files: readonly FileText[]): string[] =>
  files.filter(({ file, text }) => existsSync(file) && readText(file) !== text).map(({ file }) => file);

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes them; the caller has asked about those that exist. */
export function writeFiles(files: readonly FileText[]): void {
  for (const { file, text } of files) {
    makeFolders(dirname(file));
    writeFileSync(file, text);
  }
}
