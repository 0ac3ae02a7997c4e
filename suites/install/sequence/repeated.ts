import { type Check, check } from '../../../harness/check/check.ts';
import { secondLoadOf, walkOf } from '../steps/reading.ts';
import { INSTALLS } from './sequence.ts';

export const checks: readonly Check[] = [
  check(
    'install.sequence.repeated-install-observed',
    'OBSERVES how a repeated installation affects the earlier one',
    { ...INSTALLS, clauses: [], observations: ['install.auth-code-on-reinstall'] },
    async (context) => {
      const [one, two] = [await walkOf(context, 'self'), await walkOf(context, 'blank')];
      secondLoadOf(context, one);
      secondLoadOf(context, two);
      const [a, b] = [one.apps?.authCode.reveal(), two.apps?.authCode.reveal()];
      const codeSeen = a === undefined || b === undefined ? 'no code' : a === b ? 'the same code' : 'another code';
      context.observe('install.auth-code-on-reinstall', `while installed: ${codeSeen}`);
      if (one.endedProfilesCode === true || two.endedProfilesCode === true) {
        context.warn(
          'Installing the app again ended the authCode that the website had: an app that installs again on the same website loses the earlier installation.',
        );
      }
    },
  ),
];
