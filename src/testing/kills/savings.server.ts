// A server killed while it reads and matches a usage file: the next one goes on where it was, and each row is there once.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { Savings } from '#addons/savings/savings.contract.ts';
import { anItem } from '../factories/catalog.server.ts';
import { aFacility, aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import type { KillCase, KilledServer } from './kill-case.server.ts';

const ROWS = 4000;
const ITEMS = 200;

export async function savings(): Promise<KillCase> {
  let facilityId = 0;
  let analysisId = 0;
  let stored: number[] = [];
  const checkPoint = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { rows } = await sql<{
        rows: number;
        lines: number;
        matched: number;
        certain: number;
        state: string;
        done: number;
      }>`
        select count(*)::int as rows, count(distinct row_no)::int as lines, count(*) filter (where matched)::int as matched,
            count(*) filter (where confidence = 'certain')::int as certain, max(a.state) as state, max(a.done) as done
          from savings_row r right join savings_analysis a on a.id = r.analysis_id`.execute(db);
      return rows[0];
    });
  const matchedIds = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const rows = await db.selectFrom('savings_row').select('id').where('matched', '=', true).orderBy('id').execute();
      return rows.map(({ id }) => id);
    });
  const progress = (server: KilledServer) => server.ok(Savings.GetAnalysis, { id: analysisId });
  return {
    fill: async ({ db }) => {
      for (let n = 0; n < ITEMS; n++)
        await anItem(db, { number: `KL-${1000 + n}`, description: `Kill test item ${n}`, units: { EA: 1, BX: 10 } });
      facilityId = (await aFacility(db)).id;
      return aUser(db, { roles: ['insiderep'] });
    },
    points: [
      {
        work: async (server) => {
          const rows = Array.from({ length: ROWS }, (_, n) => `KL-${1000 + (n % ITEMS)},Kill test item,BX,12,95`);
          const bytes = Buffer.from(`Vendor Item #,Description,UOM,Annual Qty,Unit Price\n${rows.join('\n')}\n`);
          const file = { name: 'usage.csv', bytes };
          ({ id: analysisId } = await server.ok(Savings.UploadUsageFile, { facilityId, months: 12 }, file));
          await until(async () => {
            const { step, done, state } = await progress(server);
            return state !== 'reading' || (step === 'Matching' && done > 0);
          }, 120);
        },
        found: async (server) => {
          const now = await checkPoint(server);
          expect(now).toMatchObject({ rows: ROWS, state: 'reading' });
          // Whole batches are matched and reported.
          expect(now?.matched).toBe(now?.done);
          expect(now?.matched).toBeGreaterThan(0);
          expect(now?.matched).toBeLessThan(ROWS);
          stored = await matchedIds(server);
        },
      },
    ],
    rest: (server) => until(async () => (await progress(server)).state !== 'reading', 200),
    proof: async (server) => {
      expect(await checkPoint(server)).toMatchObject({
        rows: ROWS,
        lines: ROWS,
        matched: ROWS,
        certain: ROWS,
        done: ROWS,
        state: 'ready',
      });
      expect((await matchedIds(server)).filter((id) => stored.includes(id))).toEqual(stored);
    },
  };
}
