import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  ids,
  inProcess,
  type KeyedClient,
  keyedClient,
  newMethod,
  ORIGIN,
  overSocket,
  points,
  walk,
} from '../client.fixture.ts';
import { createService } from '../service.ts';
import type { MockService } from '../types/service.ts';
import { StoreError } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofmark-store-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const open = (db: string): MockService => createService({ origin: ORIGIN, db: join(folder, db) });
const storeOf = (service: MockService): KeyedClient =>
  keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
const batch = (api: KeyedClient, handle: string, body: object) =>
  api.post(`/store/delivery_method/${handle}/pickup_points/batch_replace/`, body);

describe('the state in a file', () => {
  test('is the same after a restart: rows, lists, unfinished uploads, digits of large numbers', async () => {
    let service = open('restart.db');
    let api = storeOf(service);
    const handle = await newMethod(api, { title: { en: 'a', lv: 'ā' } });
    await batch(api, handle, {
      pickup_points: [...points(3, 1, { country: 'LV' }), ...points(2, 11, { country: 'EE' })],
    });
    await batch(api, handle, { pickup_points: points(1, 21), country: 'LV' });
    await api.delete(`/store/delivery_method/${handle}/pickup_point/P-11/`);
    await api.put(
      `/store/delivery_method/${handle}/pickup_point/P-21/`,
      '{"pickup_point":{"attributes":{"n":12345678901234567890}}}',
    );
    await batch(api, handle, { pickup_points: points(2, 31), is_finalization: false });
    await api.delete('/store/delivery_method/honey-courier/');
    const before = await service.control.state();
    service.close();

    service = open('restart.db');
    api = storeOf(service);
    assert.deepEqual(await service.control.state(), before);
    const read = await api.get(`/store/delivery_method/${handle}/pickup_point/P-21/`);
    assert.match(read.text, /12345678901234567890/);
    await api.post(`/store/delivery_method/${handle}/pickup_point/`, { pickup_point: { id: 'new' } });
    assert.deepEqual(
      ids((await walk(api, `/store/delivery_method/${handle}/pickup_points/?page_size=1`, 'pickup_points')).items),
      ['P-12', 'P-21', 'new'],
    );
    await batch(api, handle, { pickup_points: points(1, 33), is_initialization: false });
    assert.deepEqual(ids((await walk(api, `/store/delivery_method/${handle}/pickup_points/`, 'pickup_points')).items), [
      'P-31',
      'P-32',
      'P-33',
    ]);
    const next = await newMethod(api);
    assert.equal(service.state.methods.get(next)!.number, service.state.methods.get(handle)!.number + 1);
    service.close();
  });

  test('a refused request leaves no trace in it', async () => {
    let service = open('refused.db');
    const api = storeOf(service);
    const before = await service.control.state();
    assert.equal((await batch(api, 'honey-lockers', { pickup_points: [{ id: 'a' }, { id: 'a' }] })).status, 409);
    assert.equal(
      (
        await api.post('/store/delivery_method/honey-courier,honey-lockers/pickup_point/', {
          pickup_point: { id: 'RIX-01' },
        })
      ).status,
      409,
    );
    service.close();
    service = open('refused.db');
    assert.deepEqual(await service.control.state(), before);
    service.close();
  });

  test('reset begins again in the file too', async () => {
    let service = open('reset.db');
    const before = await service.control.state();
    await newMethod(storeOf(service));
    await service.control.reset();
    service.close();
    service = open('reset.db');
    assert.deepEqual(await service.control.state(), before);
    service.close();
  });

  test('foreign, damaged, locked and unusable files are reported in one sentence', async () => {
    writeFileSync(
      join(folder, 'text.db'),
      'this is not a database, but it is longer than a header of one would have to be. '.repeat(20),
    );
    const foreign = new DatabaseSync(join(folder, 'foreign.db'));
    foreign.exec('CREATE TABLE t (a)');
    foreign.close();
    const service = open('busy.db');
    await newMethod(storeOf(service));
    service.close();
    const bytes = readFileSync(join(folder, 'busy.db'));
    writeFileSync(join(folder, 'cut.db'), bytes.subarray(0, bytes.length / 2));
    bytes.fill(7, 4096, 16_384);
    writeFileSync(join(folder, 'damaged.db'), bytes);
    const json = new DatabaseSync(join(folder, 'busy.db'));
    json.exec("UPDATE rows SET value = '{' WHERE name = 'apps'");
    json.exec(`VACUUM INTO '${join(folder, 'json.db')}'`);
    json.exec("UPDATE rows SET value = '1'");
    json.exec('PRAGMA user_version = 9');
    json.exec(`VACUUM INTO '${join(folder, 'version.db')}'`);
    json.close();
    const expected: Record<string, RegExp> = {
      'text.db': /not a database of the mock/,
      'foreign.db': /another program/,
      'cut.db': /damaged/,
      'damaged.db': /damaged/,
      'json.db': /damaged/,
      'version.db': /another version/,
      'no/such/folder/x.db': /can't be used/,
    };
    for (const [file, sentence] of Object.entries(expected)) {
      assert.throws(
        () => open(file),
        (error: Error) => error instanceof StoreError && sentence.test(error.message) && !error.message.includes('\n'),
        file,
      );
    }
    const holder = open('held.db');
    assert.throws(() => open('held.db'), /in use by another process/);
    holder.close();
  });

  test('every change with a response survives kill -9', async () => {
    const db = join(folder, 'kill.db');
    let child = await startMock(db);
    const api = keyedClient(overSocket(child.origin), child.key);
    const handle = await newMethod(api);
    await batch(api, handle, { pickup_points: points(100), is_finalization: false });
    const answered: string[] = [];
    // Writes continue until the process is killed: none with a response may be missing, and none may be incomplete.
    const writing = (async () => {
      for (let at = 0; ; at += 1) {
        const reply = await api.post(`/store/delivery_method/${handle}/pickup_point/`, {
          pickup_point: { id: `k${at}`, title: 't' },
        });
        if (reply.status === 200) answered.push(`k${at}`);
      }
    })().catch(() => undefined);
    while (answered.length < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    child.process.kill('SIGKILL');
    await writing;
    child = await startMock(db);
    try {
      const again = keyedClient(overSocket(child.origin), child.key);
      const listed = ids(
        (await walk(again, `/store/delivery_method/${handle}/pickup_points/?page_size=100`, 'pickup_points')).items,
      );
      assert.deepEqual(listed.slice(0, answered.length), answered);
      assert.ok(listed.length <= answered.length + 1);
      await batch(again, handle, { pickup_points: points(1, 101), is_initialization: false });
      assert.equal(
        (await walk(again, `/store/delivery_method/${handle}/pickup_points/`, 'pickup_points')).items.length,
        101,
      );
    } finally {
      child.process.kill('SIGKILL');
    }
  });

  test('a portion writes only its own points, and later writes remove replaced points', async () => {
    const service = open('portions.db');
    const api = storeOf(service);
    const handle = await newMethod(api);
    const upload = async (count: number) => {
      for (let at = 0; at < count; at += 100) {
        await batch(api, handle, {
          pickup_points: points(100, at),
          is_initialization: at === 0,
          is_finalization: at + 100 >= count,
        });
      }
    };
    await upload(5_000);
    const { numbers } = service.state.points;
    const touched = numbers.touched;
    await batch(api, handle, { pickup_points: points(100), is_finalization: false });
    assert.equal(numbers.touched - touched, 100);
    await upload(5_000);
    service.close();
    const db = new DatabaseSync(join(folder, 'portions.db'));
    const { n } = db.prepare('SELECT count(*) AS n FROM points').get() as { n: number };
    db.close();
    assert.ok(n >= 5_000 && n < 10_300, `${n} rows`);
    const again = open('portions.db');
    for (let at = 0; at < 40; at += 1) await newMethod(storeOf(again));
    again.close();
    const swept = new DatabaseSync(join(folder, 'portions.db'));
    assert.equal((swept.prepare('SELECT count(*) AS n FROM points').get() as { n: number }).n, 5_000 + 6);
    swept.close();
  });
});

/** Starts the mock in a child process; resolves when it has printed its address. */
function startMock(db: string): Promise<{ process: ChildProcess; origin: string; key: string }> {
  const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'mock', '--port', '0', '--db', db], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (!text.includes('Stop it with')) return;
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
      resolve({ process: child, origin, key: /Nordic Honey +(\w+)/.exec(text)?.[1] ?? '' });
    });
    child.on('exit', (code) => reject(new Error(`the mock ended with ${code}`)));
  });
}

test('without a file, SQLite is not loaded: Node 22 would warn of it in every command', () => {
  const program =
    "await import('./mock/service.ts'); process.exitCode = process.moduleLoadList.includes('NativeModule sqlite') ? 1 : 0;";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
