import { driverSkeleton } from '../../cli/init/driver-skeleton.ts';

/** What a user of the package writes: type-checked against its declarations, then compiled and run. */
export const USER_FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
      module: 'NodeNext',
      strict: true,
      outDir: 'out',
      // The declarations of our package must stand by themselves, not only be skipped.
      skipLibCheck: false,
      types: ['node'],
    },
    include: ['*.ts'],
  }),
  'driver.ts': `import { defineDriver, type TargetDriver } from 'proofmark/driver';

const driver = defineDriver({
  async pressPrintLabel(page) {
    await page.getByRole('button', { name: 'Print label' }).click();
  },
  async installState(_page, authCode) {
    return { known: authCode !== '', installed: false };
  },
});
export default driver satisfies TargetDriver;

// @ts-expect-error a step that does not exist
defineDriver({ pressEverything: async () => undefined });
`,
  // What `proofmark init` writes, with every function taken out of its comment.
  'init.driver.ts': driverSkeleton('staging').replaceAll(/^ {2}\/\/ /gm, '  '),
  'profile.ts': `import { defineProfile } from 'proofmark/driver';

export default defineProfile({
  name: 'staging',
  v1: 'http://127.0.0.1:9/v1/',
  delivery: { private: { apiKey: '\${STORE_KEY}' } },
  website: { languages: ['en', 'lv'], pages: { en: 'https://shop.example/' } },
  allow: ['write', 'drive'],
  limits: { requestsPerSecond: 2 },
});

// @ts-expect-error a permission that does not exist
defineProfile({ allow: ['everything'] });
// @ts-expect-error a key that does not exist
defineProfile({ nmae: 'staging' });
`,
  'playwright.config.ts': `import { proofmark } from 'proofmark/playwright';

export default proofmark({ out: 'by-playwright' });
`,
  'library.ts': `import { portionsOf, sign, verifySignature } from 'proofmark/contracts';
import vectors from 'proofmark/contracts/vectors/signing.json' with { type: 'json' };
import { startMock } from 'proofmark/mock';

export const count: number = Object.keys(vectors).length;
export { portionsOf, sign, verifySignature };

await using service = await startMock();
const response = await fetch(new URL('store/delivery_methods/', service.v1), {
  headers: { authorization: 'ApiKey ' + service.profile.delivery.private.apiKey },
});
const arrived = await service.control.arrived();
console.log(response.status, arrived.at(-1)?.target, count > 0);
`,
};
