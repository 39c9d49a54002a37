// Kills a server in the middle of a watched inbox: each file becomes one picture in one place, and no file is lost.
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Database } from '#db/database.server.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';
import { ItemImageProcess } from './pictures.contract.ts';

const PICTURES = 12;

it('after a kill every file of the inbox is one picture, filed once', { timeout: 300_000 }, async () => {
  const inboxIn = (dataDir: string) => path.join(dataDir, 'watched');
  const server = await aServerToKill(
    async ({ db }) => {
      const item = await anItem(db, { number: 'KILL-1' });
      await aProduct(db, { itemIds: [item.id] });
      return aUser(db, { roles: ['salesadmin'] });
    },
    ({ dataDir }) => ({ IMAGE_INBOX: inboxIn(dataDir) }),
  );
  const inbox = inboxIn(server.dataDir);
  fs.mkdirSync(inbox);
  // Dates the files a minute back, so that the server does not take them for files still being written.
  const past = new Date(Date.now() - 60_000);
  for (let n = 1; n <= PICTURES; n++) {
    const file = path.join(inbox, `KILL-1_${n}.png`);
    fs.writeFileSync(file, await aPicture({ width: 1200, height: 900 }));
    fs.utimesSync(file, past, past);
  }
  const counts = async () => (await server.ok(ItemImageProcess.GetImagesWaitingForProcess, {})).counts;
  const isAtRest = async (stage: 'waiting' | 'file', wanted: number) => {
    const now = await counts();
    return now[stage] === wanted && now['working'] === 0;
  };

  await server.start();
  await until(async () => ((await counts())['waiting'] ?? 0) >= 3, 60);
  await server.kill();
  await server.inDatabase(aMinutePassesForPictures);
  await server.start();
  await until(() => isAtRest('waiting', PICTURES), 120);
  await server.ok(ItemImageProcess.UploadImagesToCloud, {});
  await until(() => isAtRest('file', PICTURES), 60);
  const { records } = await server.ok(ItemImageProcess.GetImagesWaitingForProcess, { stage: 'file', pageSize: 200 });
  const ids = records.map(({ id }) => id);
  await server.ok(ItemImageProcess.FileOperation, { operation: 'file', ids });
  await server.kill();
  await server.inDatabase(aMinutePassesForPictures);
  await server.start();
  await until(() => isAtRest('file', 0), 120);
  expect(await server.stop()).toBe(0);

  const [pictures, places] = await server.inDatabase(async ({ db }) => [
    await db.selectFrom('picture').select('state').execute(),
    await db.selectFrom('product_image').select('position').where('picture_id', 'in', ids).execute(),
  ]);
  expect(pictures.filter(({ state }) => state === 'Filed').length).toBe(PICTURES);
  expect(places.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(ids.map((_, n) => n));
  expect(fs.readdirSync(inbox)).toEqual(['filed']);
  expect(fs.readdirSync(path.join(inbox, 'filed')).length).toBe(PICTURES);
});

async function aMinutePassesForPictures(database: Database): Promise<void> {
  await aMinutePasses(database);
  await database.pool.query("update picture_round set next_at = next_at - interval '1 minute'");
}
