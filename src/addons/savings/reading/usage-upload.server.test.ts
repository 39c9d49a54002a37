// Tests over HTTP how usage files, pasted text and emails become rows, and what is refused or noted.
import { afterAll, expect, it } from 'vitest';
import { onePagePdf } from '#demo/one-page-pdf.server.ts';
import { startSavings, USAGE_HEAD } from '#testing/start-savings.server.ts';
import { Savings } from '../savings.contract.ts';

const { server, office, glove, upload, get, rowsOf } = await startSavings();
afterAll(() => server.close());

it('refuses in words what it cannot read, and asks for columns that it does not know', async () => {
  const send = (file: { name: string; bytes: Buffer; type?: string }) =>
    server.call(Savings.UploadUsageFile, { facilityId: office.facility.id, months: 12 }, { as: office.rep, file });
  const old = await send({ name: 'old.xls', bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex') });
  expect([old.status, JSON.stringify(old.body)]).toEqual([422, expect.stringContaining('old Excel file')]);
  const list = onePagePdf(['Mfr #, UOM, Annual Qty, Unit Price', 'ACM-2210, BX, 1200, 9.90']);
  for (const bytes of [list, Buffer.concat([Buffer.from('\ufeff'), list])]) {
    const pdf = await send({ name: 'usage.pdf', bytes, type: 'application/pdf' });
    expect([pdf.status, JSON.stringify(pdf.body)]).toEqual([
      422,
      expect.stringContaining('This is a PDF. Save the table as Excel or CSV.'),
    ]);
  }
  const none = await server.call(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep },
  );
  expect(none.status).toBe(422);
  const id = await upload('MDX,GL-2210,BX,5,9.9\n', { head: 'Alpha,Beta,Gamma,Delta,Epsilon\n' });
  const analysis = await get(id);
  expect(analysis).toMatchObject({ state: 'columns', rowCount: 0 });
  expect(analysis.problem).not.toBe('');
  const input = {
    id,
    version: analysis.version,
    fields: ['maker', 'catalogNo', 'unit', 'qtyPerYear', 'price'] as never,
  };
  expect(
    (
      await server.call(
        Savings.SetUsageColumns,
        { ...input, fields: ['maker', null, null, null, null] as never },
        { as: office.rep },
      )
    ).status,
  ).toBe(422);
  expect((await server.call(Savings.SetUsageColumns, { ...input, version: 99 }, { as: office.rep })).status).toBe(409);
  expect((await server.ok(Savings.SetUsageColumns, input, { as: office.rep })).state).toBe('reading');
  await server.drain();
  expect(await rowsOf(id)).toMatchObject([
    { match: { confidence: 'certain', itemId: glove.id, unit: 'BX' }, qtyPerYear: 5, price: 9.9 },
  ]);
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

it('lists the lines above the headings of a file', async () => {
  const id = await upload('H100,ACME,acm2210,GLOVE,CS,1000,120,140.00', {
    head: `Usage January to June 2026\nAll amounts in EUR\n${USAGE_HEAD}`,
  });
  expect((await get(id)).notes).toEqual([
    "Text above the headings was not read: 'Usage January to June 2026', 'All amounts in EUR'.",
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
    'Read as email text: 3 rows, 1 without a quantity.',
    "Not read as rows: 'Hi Bob,', 'Thanks,', 'Anna'.",
  ]);
  expect(await rowsOf(id)).toMatchObject([
    { itemNo: 'ACM-2210', unit: 'bx', qtyPerYear: 20, match: { itemId: glove.id } },
    { itemNo: '', unit: 'bx/50', qtyPerYear: 2, description: 'MK-1', taken: false },
    { description: 'catheter straps', qtyPerYear: null, taken: false },
  ]);
});

it('says that no column has the quantity before it prices anything, and reads the file once a person has seen it', async () => {
  const id = await upload('MDX,GL-2210,BX,9.9\n', { head: 'Distributor,Catalog #,UOM,Price\n' });
  const request = await get(id);
  expect(request).toMatchObject({ state: 'columns', rowCount: 0 });
  expect(request.problem).toContain('No quantity column was recognized');
  const fields = request.columns.map(({ field }) => field);
  await server.ok(Savings.SetUsageColumns, { id, version: request.version, fields }, { as: office.rep });
  await server.drain();
  expect(await rowsOf(id)).toMatchObject([{ match: { itemId: glove.id }, qtyPerYear: null, price: 9.9 }]);
});

it('refuses an EDI file in one sentence', async () => {
  const bytes = Buffer.from(
    'ISA*00*          *00*          *01*111111111      *01*222222222      *260101*1053*U*00401*000000001*0*T*^~GS*SC*S*R*260101*1053*1*X*004010~ST*832*0001~LIN*1*MG*A-1~SE*3*0001~',
  );
  const answer = await server.call(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep, file: { name: 'catalog.txt', bytes } },
  );
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([
    422,
    expect.stringContaining('This is an EDI 832 file'),
  ]);
});
