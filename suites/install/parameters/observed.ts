/** What a service chooses for the parameters where the contract shows nothing. */
import { HASH_PARAMETER, verifyInstallHash } from '../../../contracts/install-hash/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import { INSTALLS } from '../sequence/sequence.ts';
import { firstOf, secondLoadOf, walkOf } from '../steps/reading.ts';

export const checks: readonly Check[] = [
  check(
    'install.parameters.observed',
    'OBSERVES the order of the parameters and the encodings with which the hash is correct',
    {
      ...INSTALLS,
      needs: [...INSTALLS.needs, 'apps.appSecret'],
      clauses: [],
      observations: ['install.parameter-encoding'],
    },
    async (context) => {
      const secret = context.given.configured(context.profile.apps?.appSecret, 'apps.appSecret');
      const walk = await walkOf(context, 'self');
      const seen = [firstOf(context, walk), secondLoadOf(context, walk)].map(({ pairs, received }) => {
        const response = verifyInstallHash(received.target, secret.reveal());
        return {
          order: pairs.map(([name]) => name),
          hashAt: pairs.findIndex(([name]) => name === HASH_PARAMETER),
          encodings: response.authentic ? response.agreeing : [],
        };
      });
      context.observe('install.parameter-encoding', seen);
    },
  ),
];
