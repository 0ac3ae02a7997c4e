/** What a label shows of the settings form: its parcel is sent in the name of the store whose values these are, and anyone may read it. */
import { Skipped } from '../../../harness/check/failures.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { storeOf } from '../steps/callbacks.ts';
import { addresseeOf, hasPart, labelsTogether, type ReadLabel } from '../steps/documents/label-texts.ts';
import { givenSuccess, isOneByOne } from '../steps/user-flow.ts';

/** Fewer digits may be on a label for another reason. */
const MIN_DIGITS = 6;

const NEEDS = ['browser', 'label-page'] as const;

const digitsOf = (fields: readonly (readonly [string, string])[]): string[] =>
  fields.map(([, value]) => value.replaceAll(/\D/g, '')).filter(({ length }) => length >= MIN_DIGITS);

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.password-hidden',
    'SHOULD NOT print on a label what the admin entered in a field of the type password',
    { clauses: ['provider.label.password-hidden'], needs: NEEDS },
    async (context) => {
      const { settings, otherSettings, passwordFields } = context.session.counterpart;
      const passwords = [...settings, ...otherSettings].filter(([name]) => passwordFields.includes(name));
      if (passwords.length === 0) throw new Skipped('no settings form has a field of the type password');
      await givenSuccess(context);
      const labels = await labelsTogether(context);
      if (labels.length === 0) throw new Skipped('no label can be read');
      const shown = labels.find(({ letters }) => passwords.some(([, value]) => hasPart(letters, value)));
      context.restOn([(shown ?? labels[0])?.exchange]);
      context.expect.that(
        shown === undefined,
        'a label shows the password that the admin of the store entered in the settings form: anyone who sees the parcel can read it',
        { expected: 'no value of a field of the type password', exchange: shown?.exchange },
      );
    },
  ),
  deliveryCheck(
    'provider.label.settings-of-own-store',
    'SHOULD NOT print what the admin of another store entered in the settings form',
    { clauses: ['provider.calls.settings-of-own-store'], needs: NEEDS },
    async (context) => {
      const { session, expect } = context;
      const { settings, otherSettings } = session.counterpart;
      const [own, other] = [digitsOf(settings), digitsOf(otherSettings)];
      if (own.length === 0) throw new Skipped('no settings form has a field for a text');
      await givenSuccess(context);
      if (await isOneByOne(context)) throw new Skipped('the page prints one order after another');
      const shows = ({ digits }: ReadLabel, values: readonly string[]): boolean =>
        values.some((value) => digits.includes(value));
      // A label of another order has that one's values, which is a fault of its own.
      const all = (await labelsTogether(context)).filter(({ letters, request }) =>
        hasPart(letters, addresseeOf(request.fields)[0]),
      );
      // The first request of a precheck is that of the store whose admin presses the button.
      const [ownStore] = session.counterpart.issued.map(storeOf);
      const isOwn = ({ request }: ReadLabel): boolean => storeOf(request) === ownStore;
      if (all.every(isOwn) || !all.some(isOwn)) throw new Skipped('no labels for orders of two stores can be read');
      const labels = all.filter((label) => shows(label, [...own, ...other]));
      if (labels.length === 0) throw new Skipped('no label shows a value of the settings form');
      context.restOn(labels.map(({ exchange }) => exchange));
      const wrong = labels.find((label) => shows(label, isOwn(label) ? other : own));
      expect.that(
        wrong === undefined,
        `the label for an order of the store ${wrong && storeOf(wrong.request)} has a value on it that the admin of another store entered: its parcel is sent in the name of that one`,
        { expected: 'values of the settings form of the same store', exchange: wrong?.exchange },
      );
    },
  ),
];
