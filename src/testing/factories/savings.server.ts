// Savings analyses for tests: matched rows of a facility, without a file.
import type { Insertable } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { SavingsAnalysis, SavingsRow } from '#platform/db/tables.ts';

type Given = Partial<Insertable<SavingsAnalysis>> & {
  facility_id: number;
  owner_id: number;
  rows?: readonly Partial<Insertable<SavingsRow>>[];
};

/** Its rows are matched to nothing unless the test says otherwise. */
export async function aSavingsAnalysis(db: Db, { rows = [], ...fields }: Given): Promise<{ id: number }> {
  const analysis = await db
    .insertInto('savings_analysis')
    .values({
      name: 'Usage of a year',
      months: 12,
      state: 'to-match',
      file_name: 'usage.csv',
      mapping: JSON.stringify({
        sheet: '',
        line: 1,
        headings: ['Mfr #', 'Description'],
        columns: { makerNo: 0, description: 1 },
      }),
      options: JSON.stringify({ format: 'CSV', sheets: [], samples: [['MDS1234'], ['Exam glove']] }),
      currn_idx: 1007,
      price_date: '2026-11-26',
      created_at: new Date(),
      total: rows.length,
      done: rows.length,
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const blank = { item_no: '', distributor: '', catalog_no: '', maker: '', maker_no: '', description: '', unit: 'EA' };
  const more = { pack: '', gtin: '', ndc: '', hcpcs: '', their_number: '', read_doubts: [], matched: true };
  for (const [at, row] of rows.entries()) {
    const { item_id: itemId = null, our_unit: unit = '', confidence = 'none', reasons = [] } = row;
    const proposed = itemId === null ? [] : [{ itemId, unit, eaches: null, confidence, score: 60, reasons }];
    await db
      .insertInto('savings_row')
      .values({
        analysis_id: analysis.id,
        row_no: at + 2,
        candidates: JSON.stringify(proposed),
        ...blank,
        ...more,
        ...row,
      })
      .execute();
  }
  return analysis;
}
