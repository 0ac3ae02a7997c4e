/** Targets with untrusted certificates, and targets whose scheme does not match the profile. */
import { generate } from 'selfsigned';
import { type HostileTarget, READING, undecided } from '../hostile-target.ts';
import { pass } from '../reference-service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Made {
  readonly name?: string;
  readonly from?: number;
  readonly to?: number;
}

/** A self-signed certificate; `from` and `to` are days from today. */
async function certificate({ name = '127.0.0.1', from = -1, to = 1 }: Made): Promise<{ cert: string; key: string }> {
  const pems = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from * DAY_MS),
    notAfterDate: new Date(Date.now() + to * DAY_MS),
    extensions: [
      { name: 'subjectAltName', altNames: [name === '127.0.0.1' ? { type: 7, ip: name } : { type: 2, value: name }] },
    ],
  });
  return { cert: pems.cert, key: pems.private };
}

const correctly: HostileTarget['answers'] = async (socket, asked, context) =>
  pass(socket, await context.respondCorrectly(asked));

/** `isTrusted`: the profile names the certificate as an authority. */
function behind(made: Made, isTrusted: boolean): Pick<HostileTarget, 'tls' | 'answers'> & Partial<HostileTarget> {
  let pair: { cert: string; key: string } | undefined;
  return {
    answers: correctly,
    tls: async () => (pair = await certificate(made)),
    ...(isTrusted
      ? { files: () => ({ 'ca.pem': pair?.cert ?? '' }), profile: () => ({ tls: { ca: './ca.pem' } }) }
      : {}),
  };
}

export const tls: readonly HostileTarget[] = [
  {
    id: 'self-signed',
    does: 'has a self-signed certificate',
    ...behind({}, false),
    expects: { [READING]: undecided('configuration', /self-signed.*"tls\.ca"/) },
    afterwards: ({ server }) => {
      if (server.asked.length > 0) throw new Error('A request went to a host that was not trusted.');
    },
  },
  {
    id: 'trusted',
    does: 'has a self-signed certificate that the profile trusts',
    ...behind({}, true),
    expects: { [READING]: { verdict: 'pass' } },
  },
  {
    id: 'expired',
    does: 'has an expired certificate',
    ...behind({ from: -9, to: -2 }, true),
    expects: { [READING]: undecided('target', /has expired/) },
  },
  {
    id: 'not-yet-valid',
    does: 'has a certificate that is not valid yet',
    ...behind({ from: 2, to: 9 }, true),
    expects: { [READING]: undecided('target', /not valid yet/) },
  },
  {
    id: 'wrong-host',
    does: 'has the certificate of another host',
    ...behind({ name: 'elsewhere.example' }, true),
    expects: { [READING]: undecided('configuration', /issued for another name/) },
  },
  {
    id: 'plain-at-https',
    does: 'speaks plain HTTP where the profile says https',
    answers: correctly,
    scheme: 'https',
    expects: { [READING]: undecided('configuration', /does not speak TLS/) },
  },
  {
    id: 'tls-at-http',
    does: 'speaks TLS where the profile says http',
    ...behind({}, false),
    scheme: 'http',
    expects: { [READING]: undecided('configuration', /closed the connection.* If it expects https/) },
  },
];
