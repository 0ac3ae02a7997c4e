import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { Secret } from '../secrets/secret.ts';
import { OpenSessions } from './open-sessions.ts';
import { authorizeCall, Reseller } from './reseller.ts';
import { carriesToken } from './session-renewal.ts';

const LOGIN = authorizeCall(new Secret('EMAIL', 'a@b.example'), new Secret('PASSWORD', 'password-1'));
const TOKENS = ['token-1', 'token-2', 'token-3'].map((token) => new Secret('API_TOKEN', token));

const responseOf = (status: number, json: object): ServiceResponse =>
  ({ status, json, text: JSON.stringify(json), header: () => undefined }) as unknown as ServiceResponse;
const SERVED = responseOf(200, { error: false });
const REFUSED = responseOf(400, { error: true, errorCode: 400, errorMsg: 'Not now.' });

/** The sessions that are logged out when a login is refused, on a service that serves the next one if it has at most `most` of them. */
async function endedWith(most: number, held: Secret, after?: (sessions: OpenSessions) => void): Promise<string[]> {
  const sessions = new OpenSessions();
  for (const token of TOKENS) sessions.note(LOGIN, responseOf(200, { error: false, apiToken: token.reveal() }));
  after?.(sessions);
  const open = new Set(TOKENS);
  const ended: string[] = [];
  const send = async (call: ServiceRequest): Promise<ServiceResponse> => {
    if (call.path === LOGIN.path) return open.size <= most ? SERVED : REFUSED;
    const token = TOKENS.find((one) => carriesToken(call, one))!;
    open.delete(token);
    ended.push(token.reveal());
    return SERVED;
  };
  await sessions.logInAfterLogout(LOGIN, REFUSED, send, held);
  return ended;
}

test('a login that is refused for open sessions ends the others first', async () => {
  assert.deepEqual(await endedWith(1, TOKENS[0]!), ['token-3', 'token-2']);
});

test('the session in use stays where logins are refused for another reason, so that clean-up can use it', async () => {
  assert.deepEqual(await endedWith(-1, TOKENS[0]!), ['token-3', 'token-2']);
});

test('the session in use is ended as well where the others may have ended by themselves', async () => {
  const ended = await endedWith(0, TOKENS[2]!, (sessions) => {
    for (const token of TOKENS.slice(0, 2)) sessions.note(new Reseller(token).listWebsites(), REFUSED);
  });
  assert.deepEqual(ended, ['token-2', 'token-1', 'token-3']);
});

test('logins are hidden by an open session only where one was served after a logout, and none beside another session', async () => {
  const [first, second] = TOKENS.map((token) => responseOf(200, { error: false, apiToken: token.reveal() }));
  const afterRefusal = async (earlier: readonly ServiceResponse[]): Promise<OpenSessions> => {
    const sessions = new OpenSessions();
    for (const login of earlier) sessions.note(LOGIN, login);
    const send = async (call: ServiceRequest) => (call.path === LOGIN.path ? second! : SERVED);
    sessions.note(LOGIN, await sessions.logInAfterLogout(LOGIN, REFUSED, send, undefined));
    return sessions;
  };
  const one = await afterRefusal([first!]);
  assert.equal(one.hides(LOGIN), true);
  await one.endAll(async () => SERVED);
  assert.equal(one.hides(LOGIN), false, 'no session is open now');
  const several = await afterRefusal([first!, responseOf(200, { error: false, apiToken: 'token-3' })]);
  assert.equal(several.hides(LOGIN), false);
});
