// Tests over HTTP how usage files, PDFs, pasted text and emails become rows, and what is refused or noted of them.
import { afterAll, expect, it } from 'vitest';
import { aPdf, type Placed } from '#testing/a-pdf.server.ts';
import { startSavings, USAGE_HEAD } from '#testing/start-savings.server.ts';
import { Savings } from '../savings.contract.ts';

const { server, office, glove, upload, get, rowsOf } = await startSavings();
afterAll(() => server.close());

it('refuses in words what it cannot read, and asks for columns that it does not know', async () => {
  const send = (file: { name: string; bytes: Buffer; type?: string }) =>
    server.call(Savings.UploadUsageFile, { facilityId: office.facility.id, months: 12 }, { as: office.rep, file });
  const old = await send({ name: 'old.xls', bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex') });
  expect([old.status, JSON.stringify(old.body)]).toEqual([422, expect.stringContaining('old Excel file')]);
  const pdf = await send({ name: 'scan.pdf', bytes: aPdf([[]]), type: 'application/pdf' });
  expect([pdf.status, JSON.stringify(pdf.body)]).toEqual([422, expect.stringContaining('it is a scan')]);
  const none = await server.call(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep },
  );
  expect(none.status).toBe(422);
  const id = await upload('MDX,GL-2210,BX,5,9.9\n', { head: 'Alpha,Beta,Gamma,Delta,Epsilon\n' });
  const asked = await get(id);
  expect(asked).toMatchObject({ state: 'columns', rowCount: 0 });
  expect(asked.problem).not.toBe('');
  const said = { id, version: asked.version, fields: ['maker', 'catalogNo', 'unit', 'qtyPerYear', 'price'] as never };
  expect(
    (
      await server.call(
        Savings.SetUsageColumns,
        { ...said, fields: ['maker', null, null, null, null] as never },
        { as: office.rep },
      )
    ).status,
  ).toBe(422);
  expect((await server.call(Savings.SetUsageColumns, { ...said, version: 99 }, { as: office.rep })).status).toBe(409);
  expect((await server.ok(Savings.SetUsageColumns, said, { as: office.rep })).state).toBe('reading');
  await server.drain();
  expect(await rowsOf(id)).toMatchObject([
    { match: { confidence: 'certain', itemId: glove.id, unit: 'BX' }, qtyPerYear: 5, price: 9.9 },
  ]);
});

it('reads the table of a PDF, and reads it again with other columns', async () => {
  const line = (y: number, ...cells: string[]) => cells.map((text, at): Placed => [40 + 85 * at, y, text]);
  const list = aPdf([
    [
      ...line(60, 'Mfr #', 'Description', 'UOM', 'Annual Qty', 'Unit Price'),
      ...line(80, 'ACM-2210', 'Glove nitrile', 'BX', '1,200', '9.90'),
    ],
    [],
  ]);
  const { id } = await server.ok(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep, file: { name: 'Usage 2025.pdf', bytes: list } },
  );
  await server.drain();
  const analysis = await get(id);
  expect(analysis).toMatchObject({
    name: 'Usage 2025',
    fileName: 'Usage 2025.pdf',
    state: 'ready',
    notes: ['Page 2 has no text and is not read.'],
  });
  const read = { match: { confidence: 'certain', itemId: glove.id, unit: 'BX' }, price: 9.9 };
  expect(await rowsOf(id)).toMatchObject([{ ...read, description: 'Glove nitrile', qtyPerYear: 1200 }]);
  await server.ok(
    Savings.SetUsageColumns,
    { id, version: analysis.version, fields: ['makerNo', null, 'unit', 'qtyPerYear', 'price'] },
    { as: office.rep },
  );
  await server.drain();
  expect(await rowsOf(id)).toMatchObject([{ ...read, description: '', qtyPerYear: 1200 }]);
});

it('takes pasted text', async () => {
  const text = 'Mfr #\tDescription\tUOM\tAnnual Qty\tUnit Price\nACM-2210\tGlove nitrile\tBX\t5\t9.9\n';
  const { id } = await server.ok(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12, name: 'From an email', text },
    { as: office.rep },
  );
  await server.drain();
  expect(await get(id)).toMatchObject({ name: 'From an email', state: 'ready', counts: { taken: 1 } });
});

it('says what stands above the headings of a file', async () => {
  const id = await upload('H100,ACME,acm2210,GLOVE,CS,1000,120,140.00', {
    head: `Usage January to June 2026\nAll amounts in EUR\n${USAGE_HEAD}`,
  });
  expect((await get(id)).notes).toEqual([
    "Above the headings, and not read: 'Usage January to June 2026', 'All amounts in EUR'.",
  ]);
});

it('takes the words of an email', async () => {
  const text = 'Hi Bob,\n20 bx nitrile gloves (ACM-2210), 2 bx/50 MK-1\ncatheter straps\n\nThanks,\nAnna';
  const { id } = await server.ok(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12, text },
    { as: office.rep },
  );
  await server.drain();
  expect((await get(id)).notes).toEqual([
    'Read as the text of an email: 3 rows, 1 of them without a quantity.',
    "Not read as rows: 'Hi Bob,', 'Thanks,', 'Anna'.",
  ]);
  expect(await rowsOf(id)).toMatchObject([
    { itemNo: 'ACM-2210', unit: 'bx', qtyPerYear: 20, match: { itemId: glove.id } },
    { itemNo: '', unit: 'bx/50', qtyPerYear: 2, description: 'MK-1', taken: false },
    { description: 'catheter straps', qtyPerYear: null, taken: false },
  ]);
});
