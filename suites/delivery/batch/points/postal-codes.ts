/** Points of many countries, with postal codes as they are written there: a service may treat each country in its own way. */
import type { Context } from '../../../../harness/check/context.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';

/** Postal codes in their usual form. Some begin with zeros, and some countries have codes that other standards write differently. */
const USUAL = `
  AT 1010, AU 0800, BE 1000, BR 01310-100, CA K1A 0B1, CH 8001, CY 1010, CZ 110 00, DE 01067, DK 0900, EE 10111,
  ES 08001, FI 00100, FR 01000, GB SW1A 1AA, GR 105 57, HR 10000, IE D02 X285, IN 110 001, IS 101, IT 00118,
  JP 100-0001, KR 03048, LT LT-01103, LU L-1111, LV LV-1050, MT VLT 1117, NL 1012 AB, NO 0001, PL 00-950,
  PT 1000-001, RO 010011, SE 111 22, SI 1000, SK 811 01, TR 06010, UA 01001, US 20500
`;

/** The same with or without the signs between, before and after, which other people of the country leave out or add. */
const OTHERWISE = `
  AT A-1010, BR 01310100, CA k1a0b1, CH CH-8001, CZ 11000, DE D-01067, FI FI-00100, GB sw1a1aa, GR 10557, IE D02X285,
  IN 110001, JP 1000001, LT 01103, LU 1111, LV 1050, LV LV1050, NL 1012ab, PL 00950, PT 1000001, SE 11122,
  SE SE-111 22, SK 81101, US 20500-0003
`;

/** Two lists of points. A service may refuse the second, or both: which countries and postal codes it takes is not stated. */
export const pointsOfCountries = (context: Context): readonly (readonly Json[])[] =>
  [USUAL, OTHERWISE].map((codes, list) =>
    codes.split(',').map((code, at) => {
      const country = code.trim().slice(0, 2);
      const zip = code.trim().slice(3);
      return {
        id: `${country}-${list}-${at}`,
        title: context.given.text(`Central Station ${at + 1}`),
        address: `${at + 1} Old Station Str.`,
        city: 'New-town on the Sea',
        zip,
        country,
        // A service may require every field.
        attributes: { list, at },
      };
    }),
  );

/** Whether a point is in one of the countries around that of the checks, where a service may take no others. */
export const isNearby = ({ country }: Json): boolean => ['EE', 'LT', 'LV'].includes(String(country));
