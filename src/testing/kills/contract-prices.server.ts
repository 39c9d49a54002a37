// A server killed while it applies prices, then held ones accepted later: each run is applied whole and once, or not at all.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { aContract } from '../factories/contracts.server.ts';
import { aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import { after, type KillCase, type KilledServer, type Point } from './kill-case.server.ts';

const WITHIN = 3000;
const HELD = 3000;

export async function contractPrices(): Promise<KillCase> {
  let id = 0;
  const get = (server: KilledServer) => server.ok(DataImport.GetImport, { id });
  const isIn = async (server: KilledServer, state: string) => (await get(server)).state === state;
  const written = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { rows } = await sql<{ ended: number; begun: number; applied: number; events: number; state: string }>`
        select (select count(*)::int from contract_line_price where valid_to is not null) as ended,
          (select count(*)::int from contract_line_price where valid_from > '2020-01-01') as begun,
          (select count(*)::int from data_import_held where applied) as applied,
          (select count(*)::int from record_event where record_type = 'contract') as events,
          (select max(state) from data_import) as state`.execute(db);
      return rows[0];
    });
  const upload = async (server: KilledServer) => {
    const prices = Array.from({ length: WITHIN + HELD }, (_, n) => `KILL-1,KI-${n + 1},EA,${n < WITHIN ? 41 : 50}`);
    const file = { name: 'prices.csv', bytes: Buffer.from(`Contract,Item,UOM,Price\n${prices.join('\n')}\n`) };
    ({ id } = await server.ok(DataImport.UploadImport, { kind: 'contract-prices' }, file));
    await server.ok(DataImport.StartCheck, { id });
    await until(() => isIn(server, 'Checked'), 60);
  };
  const accept = async (server: KilledServer) => {
    await until(() => isIn(server, 'Applied'), 180);
    await server.ok(DataImport.DecideHeldRows, { id, decision: 'accepted' });
  };
  const applying = (prepare: (server: KilledServer) => Promise<void>, from: number, to: number): Point => ({
    work: after(300, async (server) => {
      await prepare(server);
      await server.ok(DataImport.ApplyImport, { id });
    }),
    found: async (server) => {
      const now = await written(server);
      // On a fast machine the import may have finished, and then all of it is there.
      const done = now?.state === 'Applied' ? to : from;
      expect([now?.ended, now?.begun, now?.applied]).toEqual([done, done, Math.max(0, done - WITHIN)]);
    },
  });
  return {
    fill: async ({ db }) => {
      const contract = await aContract(db, { number: 'KILL-1' });
      await sql`insert into item (item_number, description, base_unit)
        select 'KI-' || n, 'Item ' || n, 'EA' from generate_series(1, ${WITHIN + HELD}::int) n`.execute(db);
      await sql`insert into contract_line (contract_id, item_id, unit)
        select ${contract.id}, id, 'EA' from item where item_number like 'KI-%' order by id`.execute(db);
      await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
        select id, ${contract.tierId}, 40, '2020-01-01' from contract_line where contract_id = ${contract.id}`.execute(
        db,
      );
      return aUser(db, { roles: ['contractdept'] });
    },
    points: [applying(upload, 0, WITHIN), applying(accept, WITHIN, WITHIN + HELD)],
    rest: async (server) => {
      await until(() => isIn(server, 'Applied'), 180);
      expect(await get(server)).toMatchObject({ error: '', accepted: 0, report: { writes: WITHIN + HELD, held: 0 } });
    },
    proof: async (server) => {
      const all = WITHIN + HELD;
      expect(await written(server)).toEqual({ ended: all, begun: all, applied: HELD, events: 2, state: 'Applied' });
    },
  };
}
