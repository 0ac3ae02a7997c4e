/** Targets that redirect or link to another host: no key and no request may follow. */
import { failed, type HostileTarget, PASS, READING, undecided, WALK_CHECK } from '../hostile-target.ts';
import { bytesOf } from '../reference-service.ts';

const redirectsTo =
  (status: number, to: (stranger: string, target: string) => string): HostileTarget['answers'] =>
  (socket, asked, { stranger }) =>
    void socket.write(
      `HTTP/1.1 ${status} Moved\r\nlocation: ${to(`127.0.0.1:${stranger.port}`, asked.target)}\r\ncontent-length: 0\r\n\r\n`,
    );

/** Every list continues at an address of another host. */
const linksTo =
  (link: (stranger: string) => string): HostileTarget['answers'] =>
  async (socket, asked, context) => {
    const answered = await context.respondCorrectly(asked);
    const text = answered.body.toString();
    const next = JSON.stringify(link(`127.0.0.1:${context.stranger.port}`));
    const body = text.startsWith('{"delivery_methods"')
      ? text.replace('{', () => `{"next_page_uri":${next},`).replace(/,"next_page_uri":"[^"]*"\}$/, '}')
      : text;
    socket.write(bytesOf(answered, { body: Buffer.from(body) }));
  };

const REDIRECTED: HostileTarget['expects'] = {
  [READING]: undecided('configuration', /redirects to http:\/\/127\.0\.0\.1:\d+ \(status 30\d\).*"v1"/),
};
const BAD_LINK: HostileTarget['expects'] = { [READING]: PASS, [WALK_CHECK]: failed(/The link to the next page/) };

export const redirects: readonly HostileTarget[] = [
  ...[301, 302, 303, 307, 308].map(
    (status): HostileTarget => ({
      id: `redirects-away-${status}`,
      does: `redirects every call to another host with status ${status}`,
      answers: redirectsTo(status, (host, target) => `http://${host}${target}`),
      expects: REDIRECTED,
    }),
  ),
  {
    id: 'redirect-loop',
    does: 'redirects every call to itself',
    answers: redirectsTo(302, (_host, target) => target),
    expects: REDIRECTED,
    afterwards: ({ server }) => {
      if (server.asked.length > 20)
        throw new Error(`${server.asked.length} requests were made: the circle was followed.`);
    },
  },
  {
    id: 'redirects-with-credentials',
    does: 'redirects to an address that contains a user name and a password',
    answers: redirectsTo(302, (host, target) => `http://shopkeeper:open-sesame-4711@${host}${target}`),
    expects: REDIRECTED,
  },
  {
    id: 'links-away',
    does: 'links its lists to another host',
    answers: linksTo((host) => `http://${host}/v1/store/delivery_methods/?page_start=2`),
    expects: BAD_LINK,
  },
  {
    id: 'links-away-without-scheme',
    does: 'links its lists to //another-host',
    answers: linksTo((host) => `//${host}/v1/store/delivery_methods/?page_start=2`),
    expects: BAD_LINK,
  },
  {
    id: 'links-away-with-backslashes',
    does: 'links its lists to another host with backslashes',
    answers: linksTo((host) => `\\\\${host}\\v1\\store\\delivery_methods\\`),
    expects: BAD_LINK,
  },
  {
    id: 'links-to-a-script',
    does: 'links its lists to a script',
    answers: linksTo(() => 'javascript:alert(1)'),
    expects: BAD_LINK,
  },
  {
    id: 'links-with-line-feeds',
    does: 'links its lists to an address that contains line feeds',
    answers: linksTo(() => '/v1/store/delivery_methods/?a=\r\nx-evil: 1\r\n\r\nGET / HTTP/1.1'),
    expects: { [READING]: PASS },
    afterwards: ({ server }) => {
      if (server.asked.some(({ headers }) => headers.has('x-evil'))) throw new Error('A header was smuggled in.');
    },
  },
  {
    id: 'links-without-end',
    does: 'links its lists to an address of 200 KB',
    answers: linksTo(() => `/v1/store/delivery_methods/?a=${'b'.repeat(200_000)}`),
    expects: { [READING]: PASS, [WALK_CHECK]: undecided('target', /a request can't contain/) },
  },
];
