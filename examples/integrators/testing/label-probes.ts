/** For tests: what a label page does in each situation of the contract, in a few words a situation. */
import { createHmac } from 'node:crypto';
import { type Fields, LABEL_REQUEST_FIELDS, sign, verifySignature } from '../../../contracts/signing/index.ts';
import type { Stub, StubRequest } from './stub.ts';

export interface PageUnderTest {
  readonly origin: string;
  readonly apiKey: string;
  readonly stub: Stub;
}

/** Situation -> what was seen. Situations whose name holds `forged` are refused by a correct page. */
export async function probeLabelPage(under: PageUnderTest): Promise<Record<string, string>> {
  const { apiKey, stub } = under;
  const seen: Record<string, string> = {};
  const order = (more: Readonly<Record<string, string>> = {}): Fields =>
    LABEL_REQUEST_FIELDS.filter((name) => name in more || !OPTIONAL.test(name)).map((name) => [
      name,
      more[name] ?? (name === 'callback_url' ? `${stub.origin}/label_callback/` : (VALUES[name] ?? `some ${name}`)),
    ]);
  const print = async (name: string, fields: Fields, signature: string | null, multipart = false): Promise<void> => {
    stub.take();
    const sent = signature === null ? fields : [...fields, ['signature', signature] as const];
    const shown = await submit(under.origin, '/label', sent, multipart);
    const arrived = stub.take();
    const callback = arrived.filter(({ path }) => path === '/label_callback/');
    if (name.includes('forged') && callback.length === 0) seen[name] = 'refused';
    else
      seen[name] =
        callback.length === 0 ? `no callback; ${shown}` : (await Promise.all(callback.map(reportInWords))).join('; ');
    const calls = arrived.filter(({ path }) => path.startsWith('/v1/'));
    if (name === 'order') seen['calls meanwhile'] = calls.map(callInWords).join('; ');
  };
  const reportInWords = async ({ method, query, body }: StubRequest): Promise<string> => {
    const pairs = method === 'GET' ? query : [...new URLSearchParams(body)];
    const { label_request_id: id, label_url: url, error_msg: error } = Object.fromEntries(pairs);
    const signed = verifySignature(pairs, apiKey);
    const words = [
      method,
      pairs.map(([name]) => name).join(' '),
      id === VALUES.label_request_id ? 'same id' : 'another id',
    ];
    if (error !== undefined) return [...words, error === '' ? 'no reason' : 'a reason'].join(', ');
    return [...words, signed.authentic ? 'signed' : signed.mistake, await labelInWords(url)].join(', ');
  };
  const callInWords = ({ method, path, authorization, body }: StubRequest): string =>
    `${method} ${path} ${authorization === `ApiKey ${apiKey}` ? 'key' : 'another key'} ${bodyInWords(body)}`;
  const right = (fields: Fields): string => sign(fields, apiKey);

  const plain = plainOrder(order, right);
  await print('order', plain, right(plain));
  for (const [name, fields] of Object.entries({
    'order with another buyer address': order({ buyer_street: 'Elsewhere 2', buyer_city: 'Tallinn' }),
    'order in other letters': order({ shipping_city: 'Rīga & Сочи + 100 %', shipping_first_name: 'Ł👍' }),
    'order with line breaks': order({ seller_address: 'Street 1\r\nTown' }),
    'order without a phone': order().filter(([name]) => name !== 'shipping_phone'),
    'order with a long cart': order({
      cart: JSON.stringify(
        Array.from({ length: 200 }, (_, id) => ({ id, name: 'Honey of linden trees, a jar of 500 g' })),
      ),
    }),
    'order with an unknown field': [...plain, ['gift', 'yes'] as const],
    'order that is too heavy': order({ weight: '99000' }),
  })) {
    await print(name, fields, right(fields));
  }
  await print('order as multipart', plain, right(plain), true);
  const bytes = Buffer.from(right(plain), 'base64');
  const changed = (name: string, value: string): Fields =>
    plain.map((field) => (field[0] === name ? [name, value] : field));
  const other = order({ invoice_id: 'INV-A' });
  const forgeries: ReadonlyArray<readonly [string, Fields, string | null]> = [
    ['unsigned', plain, null],
    ['shape only', plain, Buffer.alloc(32, 7).toString('base64')],
    ['made with another key', plain, sign(plain, 'another-key')],
    ['made with the key in capitals', plain, sign(plain, apiKey.toUpperCase())],
    ['ten characters of it', plain, right(plain).slice(0, 10)],
    ['its end changed', plain, right(plain).slice(0, 20) + right(plain).slice(20).toLowerCase().replace(/[a-m]/g, 'Q')],
    ['in small letters', plain, right(plain).toLowerCase()],
    ['in hexadecimal digits', plain, bytes.toString('hex')],
    ['in the alphabet of addresses', plain, bytes.toString('base64url')],
    ['of another order', other, right(plain)],
    ['invoice changed', changed('invoice_id', 'INV-B'), right(plain)],
    ['weight lengthened', changed('weight', '1300x'), right(plain)],
    ['a space added', changed('shipping_city', 'Town '), right(plain)],
    ['country in capitals', changed('shipping_country_code', 'LV'), right(plain)],
  ];
  for (const [name, fields, signature] of forgeries) await print(`order forged: ${name}`, fields, signature);

  const checkout: Fields = [
    ['checkout_id', '7'],
    ['amount', '12.50'],
  ];
  const ask = (signature: string): Promise<string> =>
    submit(under.origin, '/checkout', [...checkout, ['signature', signature]]);
  seen.checkout = await ask(right(checkout));
  for (const [name, signature] of [
    ['shape only', createHmac('sha256', 'x').update('y').digest('base64')],
    ['its end changed', right(checkout).slice(0, 12) + 'A'.repeat(32)],
  ] as const) {
    const shown = await ask(signature);
    seen[`checkout forged: ${name}`] = shown === seen.checkout ? shown : 'refused';
  }
  seen.manifest = JSON.stringify(await (await fetch(`${under.origin}/manifest.json`)).json()).replaceAll(
    under.origin,
    '',
  );
  return seen;
}

/**
 * An order with a capital letter and a sign that the alphabet of addresses writes otherwise in the first ten characters of its
 * signature: a page that compares these only would else accept the signature in small letters now and then.
 */
function plainOrder(order: (more: Record<string, string>) => Fields, right: (fields: Fields) => string): Fields {
  for (let number = 1; ; number += 1) {
    const fields = order({ invoice_id: `INV-${number}` });
    const start = right(fields).slice(0, 10);
    if (/[+/]/.test(start) && /[A-Z]/.test(start)) return fields;
  }
}

/** Spaces aside, where it is JSON. */
const bodyInWords = (body: string): string =>
  body.startsWith('{') ? JSON.stringify(JSON.parse(body)) : JSON.stringify(body);

const OPTIONAL = /^(buyer_|shipping_pickup_point_id)/;
const VALUES: Readonly<Record<string, string>> = {
  label_request_id: 'lr_1',
  weight: '1300',
  amount: '15.80',
  currency: 'EUR',
  cart: '[{"id":1}]',
  shipping_city: 'Town',
  shipping_country_code: 'lv',
  seller_country: 'LV',
};

/** Posts a form, goes on as a browser would (forms that post themselves, forms with one button), and says what is shown then. */
async function submit(origin: string, path: string, fields: Fields, multipart = false): Promise<string> {
  const body = multipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) body.append(name, value);
  const response = await fetch(new URL(path, origin), { method: 'POST', body });
  const text = await response.text();
  const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1];
  if (action === undefined) return `${response.status} ${/<title>(.*?)<\/title>/.exec(text)?.[1] ?? ''}`;
  const inputs = [...text.matchAll(/name="([^"]+)"(?: value="([^"]*)")?/g)].map(
    ([, name, value]) => [name!, unescaped(value)] as const,
  );
  const decided = inputs.map(([name, value]) => [name, name === 'grams' ? gramsOf(fields) : value] as const);
  return submit(origin, new URL(unescaped(action), origin).href, decided);
}

const gramsOf = (fields: Fields): string => fields.find(([name]) => name === 'weight')?.[1] ?? '';
const unescaped = (text = 'x'): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

async function labelInWords(url: string | undefined): Promise<string> {
  if (url === undefined || !URL.canParse(url)) return 'no label';
  const response = await fetch(url).catch(() => undefined);
  if (response === undefined) return 'no response';
  const text = await response.text();
  const isPdf = text.startsWith('%PDF-') && text.includes('%%EOF');
  return `${isPdf ? 'a PDF' : 'no PDF'} as ${response.headers.get('content-type')?.split(';')[0]}`;
}
