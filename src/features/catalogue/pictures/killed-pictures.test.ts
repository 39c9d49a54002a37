// Kills a server in the middle of a watched inbox: each file becomes one picture in one place, and no file is lost.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aPicture } from '#testing/a-picture.server.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';

const PICTURES = 12;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

it('after a kill every file of the inbox is one picture, filed once', { timeout: 300_000 }, async () => {
  let userId = 0;
  home = await aProcessHome(async ({ db }) => {
    userId = (await aUser(db, { roles: ['salesadmin'] })).id;
    const item = await anItem(db, { number: 'KILL-1' });
    await aProduct(db, { itemIds: [item.id] });
  });
  const { address, open } = home;
  const inbox = path.join(home.dataDir, 'watched');
  fs.mkdirSync(inbox);
  // A minute ago, so that nobody takes them for files that are still being written.
  const past = new Date(Date.now() - 60_000);
  for (let n = 1; n <= PICTURES; n++) {
    const file = path.join(inbox, `KILL-1_${n}.png`);
    fs.writeFileSync(file, await aPicture({ width: 1200, height: 900 }));
    fs.utimesSync(file, past, past);
  }
  const environment = { ...home.environment, IMAGE_INBOX: inbox };
  const { token } = await tokensOf(home, environment, { token: { id: userId } });
  const call = async (name: string, body: unknown) => {
    const answer = await fetch(`${address}/api/ItemImageProcess/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { counts: Record<string, number>; total: number; records: { id: number }[] };
  };
  const counts = async () => (await call('GetImagesWaitingForProcess', {})).counts;
  const isAtRest = async (stage: string, wanted: number) => {
    const now = await counts();
    return now[stage] === wanted && now['working'] === 0;
  };

  let server = await startServerProcess(environment);
  await until(async () => ((await counts())['waiting'] ?? 0) >= 3, 60);
  server.child.kill('SIGKILL');
  await server.ended;
  await aMinutePasses(open);
  server = await startServerProcess(environment);
  await until(() => isAtRest('waiting', PICTURES), 120);
  await call('UploadImagesToCloud', {});
  await until(() => isAtRest('file', PICTURES), 60);
  const { records } = await call('GetImagesWaitingForProcess', { stage: 'file', pageSize: 200 });
  const ids = records.map(({ id }) => id);
  await call('FileOperation', { operation: 'file', ids });
  server.child.kill('SIGKILL');
  await server.ended;
  await aMinutePasses(open);
  server = await startServerProcess(environment);
  await until(() => isAtRest('file', 0), 120);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  const { db, close } = await open();
  const pictures = await db.selectFrom('picture').select('state').execute();
  const places = await db.selectFrom('product_image').select('position').where('picture_id', 'in', ids).execute();
  await close();
  expect(pictures.filter(({ state }) => state === 'Filed').length).toBe(PICTURES);
  expect(places.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(ids.map((_, n) => n));
  expect(fs.readdirSync(inbox)).toEqual(['filed']);
  expect(fs.readdirSync(path.join(inbox, 'filed')).length).toBe(PICTURES);
});

/** The time after which another server takes over a killed server's work. */
async function aMinutePasses(open: ProcessHome['open']): Promise<void> {
  const database = await open();
  for (const statement of [
    "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
    "update pgboss.job set start_after = start_after - interval '1 minute' where state = 'retry'",
    "update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'",
    "update picture_round set next_at = next_at - interval '1 minute'",
  ])
    await database.pool.query(statement);
  await database.close();
}
