// Tests a server killed while it applies prices, then held ones accepted later: each run is applied whole and once, or not at all.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';

const WITHIN = 3000;
const HELD = 3000;

test('prices are applied whole or not at all', { timeout: 600_000 }, async () => {
  const server = await aServerToKill(async ({ db }) => {
    const { id, tierId } = await aContract(db, { number: 'KILL-1' });
    await sql`insert into item (item_number, description, base_unit)
      select 'KI-' || n, 'Item ' || n, 'EA' from generate_series(1, ${WITHIN + HELD}::int) n`.execute(db);
    await sql`insert into contract_line (contract_id, item_id, unit)
      select ${id}, id, 'EA' from item where item_number like 'KI-%' order by id`.execute(db);
    await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
      select id, ${tierId}, 40, '2020-01-01' from contract_line where contract_id = ${id}`.execute(db);
    return aUser(db, { roles: ['contractdept'] });
  });
  const get = (id: number) => server.ok(DataImport.GetImport, { id });
  const written = () =>
    server.inDatabase(async (database) => {
      await aMinutePasses(database);
      const { rows } = await sql<{ ended: number; begun: number; applied: number; events: number; state: string }>`
        select (select count(*)::int from contract_line_price where valid_to is not null) as ended,
          (select count(*)::int from contract_line_price where valid_from > '2020-01-01') as begun,
          (select count(*)::int from data_import_held where applied) as applied,
          (select count(*)::int from record_event where record_type = 'contract') as events, (select max(state) from data_import) as state`.execute(
        database.db,
      );
      return rows[0];
    });

  await server.start();
  const prices = Array.from({ length: WITHIN + HELD }, (_, n) => `KILL-1,KI-${n + 1},EA,${n < WITHIN ? 41 : 50}`);
  const file = { name: 'prices.csv', bytes: Buffer.from(`Contract,Item,UOM,Price\n${prices.join('\n')}\n`) };
  const { id } = await server.ok(DataImport.UploadImport, { kind: 'contract-prices' }, file);
  await server.ok(DataImport.StartCheck, { id });
  await until(async () => (await get(id)).state === 'Checked', 60);

  const applyAndKill = async (wait: number, before: number, after: number) => {
    await server.ok(DataImport.ApplyImport, { id });
    await server.kill(wait);
    const found = await written();
    // On a fast machine the import may have finished, and then all of it is there.
    const done = found?.state === 'Applied' ? after : before;
    expect([found?.ended, found?.begun, found?.applied]).toEqual([done, done, Math.max(0, done - WITHIN)]);
    await server.start();
    await until(async () => (await get(id)).state === 'Applied', 180);
  };
  await applyAndKill(300, 0, WITHIN);
  await server.ok(DataImport.DecideHeldRows, { id, decision: 'accepted' });
  await applyAndKill(300, WITHIN, WITHIN + HELD);
  const view = await get(id);
  expect(view).toMatchObject({ error: '', accepted: 0, report: { writes: WITHIN + HELD, held: 0 } });
  await server.stop();
  const all = WITHIN + HELD;
  expect(await written()).toEqual({ ended: all, begun: all, applied: HELD, events: 2, state: 'Applied' });
});
