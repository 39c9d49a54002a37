// A server killed in the middle of a watched inbox of pictures: each file becomes one picture in one place, and no file is lost.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ItemImageProcess } from '#core/catalog/pictures/pictures.contract.ts';
import { aPicture } from '../a-picture.server.ts';
import { anItem, aProduct } from '../factories/catalog.server.ts';
import { aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import type { KillCase, KilledServer } from './kill-case.server.ts';

const PICTURES = 12;

export async function pictures(): Promise<KillCase> {
  let inbox = '';
  let ids: number[] = [];
  const counts = async (server: KilledServer) =>
    (await server.ok(ItemImageProcess.GetImagesWaitingForProcess, {})).counts;
  const isAtRest = async (server: KilledServer, stage: 'waiting' | 'file', wanted: number) => {
    const now = await counts(server);
    return now[stage] === wanted && now['working'] === 0;
  };
  const fillInbox = async () => {
    // The server may have looked already, and made it.
    fs.mkdirSync(inbox, { recursive: true });
    // Dates the files a minute back, so that the server does not take them for files still being written.
    const past = new Date(Date.now() - 60_000);
    for (let n = 1; n <= PICTURES; n++) {
      const file = path.join(inbox, `KILL-1_${n}.png`);
      fs.writeFileSync(file, await aPicture({ width: 1200, height: 900 }));
      fs.utimesSync(file, past, past);
    }
  };
  return {
    fill: async ({ db }) => {
      const item = await anItem(db, { number: 'KILL-1' });
      await aProduct(db, { itemIds: [item.id] });
      return aUser(db, { roles: ['salesadmin'] });
    },
    variables: (dataDir) => {
      inbox = path.join(dataDir, 'watched');
      return { IMAGE_INBOX: inbox };
    },
    points: [
      // It takes files out of the inbox.
      {
        work: async (server) => {
          await fillInbox();
          await until(async () => ((await counts(server))['waiting'] ?? 0) >= 3, 60);
        },
      },
      // It files pictures at their product.
      {
        work: async (server) => {
          await until(() => isAtRest(server, 'waiting', PICTURES), 120);
          await server.ok(ItemImageProcess.UploadImagesToCloud, {});
          await until(() => isAtRest(server, 'file', PICTURES), 60);
          const waiting = { stage: 'file', pageSize: 200 } as const;
          const { records } = await server.ok(ItemImageProcess.GetImagesWaitingForProcess, waiting);
          ids = records.map(({ id }) => id);
          await server.ok(ItemImageProcess.FileOperation, { operation: 'file', ids });
        },
      },
    ],
    leases: ["update picture_round set next_at = next_at - interval '1 minute'"],
    rest: (server) => until(() => isAtRest(server, 'file', 0), 120),
    proof: async (server) => {
      const [stored, places] = await server.inDatabase(async ({ db }) => [
        await db.selectFrom('picture').select('state').execute(),
        await db.selectFrom('product_image').select('position').where('picture_id', 'in', ids).execute(),
      ]);
      expect(stored.filter(({ state }) => state === 'Filed').length).toBe(PICTURES);
      expect(places.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(ids.map((_, n) => n));
      expect(fs.readdirSync(inbox)).toEqual(['filed']);
      expect(fs.readdirSync(path.join(inbox, 'filed')).length).toBe(PICTURES);
    },
  };
}
