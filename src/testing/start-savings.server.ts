// An office with a small catalog, and short ways to upload a usage file and to read its analysis.
import { Savings } from '#addons/savings/savings.contract.ts';
import { startOffice } from './an-office.server.ts';
import { anItem, anItemClass } from './factories/catalog.server.ts';
import { aSalesOffice } from './factories/people.server.ts';

export const USAGE_HEAD = 'Item No,Mfr,Mfr #,Description,UOM,Each per unit,Annual Qty,Unit Price\n';

export async function startSavings() {
  const { server, office } = await startOffice();
  const { db } = server;
  const classId = (await anItemClass(db, { name: 'Gloves' })).id;
  const glove = await anItem(db, {
    number: 'GL-2210',
    description: 'Exam glove nitrile powder free medium',
    classId,
    cost: 0.04,
    units: { EA: 1, BX: 100, CS: 1000 },
    prices: [
      { unit: 'BX', price: 9.5 },
      { unit: 'CS', price: 90 },
    ],
    manufacturer: 'Acme Medical',
    manufacturerNo: 'ACM-2210',
  });
  const cath = await anItem(db, {
    number: 'IV-18',
    description: 'IV catheter 18G x 1.25 in straight',
    units: { EA: 1, BX: 50 },
    prices: [{ unit: 'BX', price: 100 }],
    manufacturer: 'Bexton',
    manufacturerNo: '00381',
  });
  await anItem(db, { number: 'IV-20', description: 'IV catheter 20G x 1.25 in straight', units: { EA: 1, BX: 50 } });
  const gauze = await anItem(db, {
    number: 'GZ-44',
    description: 'Gauze sponge 4x4 12 ply sterile',
    units: { EA: 1, BX: 50 },
    prices: [{ unit: 'BX', price: 20 }],
  });
  const mask = await anItem(db, {
    number: 'MK-1',
    description: 'Surgical mask ear loop blue',
    units: { EA: 1, BX: 50 },
    prices: [{ unit: 'BX', price: 5 }],
  });
  const stranger = await aSalesOffice(db);

  async function upload(
    rows: string,
    overrides: { head?: string; as?: { id: number }; facilityId?: number; name?: string } = {},
  ) {
    const { head = USAGE_HEAD, as = office.rep, facilityId = office.facility.id, name = 'usage.csv' } = overrides;
    const created = await server.ok(
      Savings.UploadUsageFile,
      { facilityId, months: 12 },
      { as, file: { name, bytes: Buffer.from(head + rows) } },
    );
    await server.drain();
    return created.id;
  }
  const get = (id: number, as = office.rep) => server.ok(Savings.GetAnalysis, { id }, { as });
  const rowsOf = async (id: number, as = office.rep) =>
    (await server.ok(Savings.SearchAnalysisRows, { id, pageSize: 200 }, { as })).records;
  return { server, db, office, stranger, glove, cath, gauze, mask, upload, get, rowsOf };
}
