/** For tests: what the software around a label page uploads, in a few words. */
import type { Example } from '../index.ts';
import { startStub } from './stub.ts';

interface Portion {
  readonly pickup_points: ReadonlyArray<{ readonly id: string }>;
  readonly is_initialization: boolean;
  readonly is_finalization: boolean;
}

/** What was seen of each part of the upload. */
export async function probeUpload(make: Example['make']): Promise<Record<string, string>> {
  const stub = await startStub();
  try {
    const settings = {
      origin: 'http://127.0.0.1:1',
      base: `${stub.origin}/v1/`,
      apiKey: 'key',
      appSecret: '',
      tabMode: '',
    };
    const made = make(settings);
    made.start?.();
    await made.uploaded;
    const calls = stub.take().filter(({ method }) => method === 'POST');
    const bodies = calls.map(({ body }) => JSON.parse(body));
    const portions = bodies.filter((body): body is Portion => 'is_initialization' in body);
    const points = portions.flatMap(({ pickup_points: list }) => (Array.isArray(list) ? list : []));
    return {
      calls: [...new Set(calls.map(({ path }) => path.replace('/v1/store/', '')))].join(', '),
      method: JSON.stringify(bodies[0]),
      sizes: portions.map(({ pickup_points: list }) => (Array.isArray(list) ? list.length : 'no list')).join(', '),
      begins: portions.map((portion) => portion.is_initialization).join(', '),
      ends: portions.map((portion) => portion.is_finalization).join(', '),
      'different ids': String(new Set(points.map(({ id }) => id)).size),
      'last point but its id': JSON.stringify({ ...points.at(-1), id: '' }).replace(/L-\d+/, 'its id'),
    };
  } finally {
    await stub.close();
  }
}
