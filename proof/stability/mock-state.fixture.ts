/** For tests: the state of a mock in another process and its number of requests, through its control interface. */
import { request } from 'node:http';
import { type StartedMock, writeProfile } from '../../cli/common/command.fixture.ts';

const TOKEN = 'control-token-of-this-test';
/** The environment of a mock that these functions ask. */
export const CONTROL_ENV = { PROOFMARK_CONTROL_TOKEN: TOKEN };

/** Settings of a reseller that may never have been set. */
const RESELLER_LINKS = /^(buy|logo|favicon|notify|terms|privacy)Link$|^(contact|addr|support)[A-Z]/;

/**
 * The state of the mock, without what a call may change in passing (when something was last touched, how many were made, links issued). The interface has
 * no call that removes a snippet, data or a setting, so an empty one counts as never set. `without`: the names of members to omit.
 */
export async function stateOf(mock: StartedMock, without?: RegExp): Promise<unknown> {
  const state = await ask(mock, 'state');
  return JSON.parse(JSON.stringify(state), function (this: Record<string, unknown>, key, value) {
    if (/modified|accessed|^counters$|^loginLinks$/i.test(key)) return undefined;
    if (without?.test(key)) return undefined;
    if (key === 'data' && value === '' && 'authCode' in this) return undefined;
    if (value === '' && RESELLER_LINKS.test(key)) return undefined;
    return key === 'snippets' ? Object.fromEntries(Object.entries(value).filter(([, text]) => text !== '')) : value;
  });
}

export const arrivedCount = async (mock: StartedMock): Promise<number> =>
  ((await ask(mock, 'arrived')) as unknown[]).length;

/** With a new connection, because a busy machine may close a keep-alive connection. */
function ask(mock: StartedMock, what: 'state' | 'arrived'): Promise<unknown> {
  const options = { headers: { 'x-proofmark-control': TOKEN }, agent: false };
  return new Promise((resolve, reject) => {
    const asked = request(`${mock.origin}/_control/${what}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    });
    asked.on('error', reject).end();
  });
}

/** Writes a profile of the mock with long timeouts for a busy machine. Returns its path. */
export const longTimeoutProfile = (mock: StartedMock, folder: string): string =>
  writeProfile(folder, 'patient-profile.json', { ...mock.json, limits: { timeoutMs: 300_000 } });
