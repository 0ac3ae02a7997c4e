import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASK, maskPersonal, maskPersonalText } from './personal-data.ts';

test('names, e-mails and phones of people are masked; presence, ids and country codes stay', () => {
  const record = {
    userName: 'Ann Example',
    userEmail: 'ann@example.com',
    userCountry: 'lv',
    websiteID: 55090,
    contactPhone: '',
    contactName: null,
    user: { email: 'x@example.com', email_confirmed: true },
  };
  assert.deepEqual(maskPersonal({ websites: [record] }), {
    websites: [
      {
        userName: MASK,
        userEmail: MASK,
        userCountry: 'lv',
        websiteID: 55090,
        contactPhone: '',
        contactName: null,
        user: { email: MASK, email_confirmed: true },
      },
    ],
  });
});

test('label request fields are masked in JSON, in forms and in multipart', () => {
  const json = '{"shipping_first_name" : "Ann \\"A\\" Ex", "shipping_country_code":"lv","weight":100}';
  assert.equal(
    maskPersonalText(json),
    `{"shipping_first_name" : "${MASK}", "shipping_country_code":"lv","weight":100}`,
  );
  assert.equal(
    maskPersonalText('label_request_id=1&shipping_email=a%40b.example&shipping_zip=&buyer_city=Riga&x=1'),
    `label_request_id=1&shipping_email=${MASK}&shipping_zip=&buyer_city=${MASK}&x=1`,
  );
  const part = (name: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  assert.equal(
    maskPersonalText(`${part('shipping_phone', '+371 200')}${part('weight', '5')}--b--`),
    `${part('shipping_phone', MASK)}${part('weight', '5')}--b--`,
  );
});

test('JSON inside a JSON string is masked and stays JSON', () => {
  const text = JSON.stringify({ body: JSON.stringify({ userEmail: 'ann@example.com', a: 1 }) });
  const masked = maskPersonalText(text);
  assert.deepEqual(JSON.parse((JSON.parse(masked) as { body: string }).body), { userEmail: MASK, a: 1 });
});

test('text without such fields stays as it is', () => {
  const text = '{"title":"email","city":"Riga","id":"userEmail"} username and email: none';
  assert.equal(maskPersonalText(text), text);
});

test('the name of a secret stays: it says more than a mask', () => {
  const text = 'email=$RESELLER_EMAIL&password=$P {"email": "$RESELLER_EMAIL", "userEmail":"$X(base64)"}';
  assert.equal(maskPersonalText(text), text);
  assert.equal(maskPersonalText('email=$5 a month'), `email=${MASK} a month`);
  assert.deepEqual(maskPersonal({ email: '$RESELLER_EMAIL', userName: '$a' }), {
    email: '$RESELLER_EMAIL',
    userName: MASK,
  });
});
