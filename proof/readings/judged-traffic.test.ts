/** `proofmark judge` on the traffic of conformant services: it may blame none of them. A few here, each answer in the soak. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawn, singles } from './draw.ts';
import { judgedTraffic } from './judged-traffic.ts';
import { choiceOf, isOpen, nameOfChoice } from './reading.ts';
import { READINGS } from './rows/index.ts';

const SOAK = process.env.PROOFMARK_SOAK === '1';
const SEED = Number(process.env.PROOFMARK_SEED ?? 1);
const SERVICES = SOAK ? 500 : 1;
/** Read as numbers, its ids are not those in the addresses of calls. */
const LARGE_IDS = 'reseller.website-numbers/64-bits';

describe('recorded traffic of conformant services', () => {
  const alone = SOAK ? singles(READINGS).filter((choice) => !isOpen(choice)) : [choiceOf(READINGS, LARGE_IDS)];
  for (const choice of [...alone, ...drawn(READINGS, SERVICES, SEED, 8)])
    test(nameOfChoice(choice), async () => assert.deepEqual(await judgedTraffic(choice), []));
});
