// `npx playwright test` judges the embedded mock; PROOFMARK_TARGET=staging.json the service of a profile.
import { proofmark } from './cli/run/playwright/config.ts';

export default proofmark();
