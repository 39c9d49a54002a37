// Tests the detail of a contract over HTTP: what each user sees of it, and what they may do.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ContractFiles } from '#core/prices/contracts/files/contract-files.contract.ts';
import { Contract } from '#core/prices/contracts/contracts.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { GpoApi } from './contract-page.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

const detail = (id: number, as: { id: number }) => server.ok(GpoApi.getGpoContractDetailDataForApiCall, { id }, { as });

it('lists the files that its reader may read, with their folders', async () => {
  const { id: contractId } = await aContract(server.db, { facilityIds: [office.facility.id] });
  const as = office.contracts;
  const outer = await server.ok(
    ContractFiles.SaveContractFolder,
    { id: 0, contractId, parentId: null, name: 'Amendments' },
    { as },
  );
  const inner = await server.ok(
    ContractFiles.SaveContractFolder,
    { id: 0, contractId, parentId: outer.id, name: '2026' },
    { as },
  );
  const add = async (name: string, fields: object) => {
    const file = { name, bytes: Buffer.from('%PDF-1.7 x') };
    const answer = await server.call(ContractFiles.UploadContractFile, { contractId, ...fields }, { as, file });
    expect(answer.status).toBe(200);
  };
  await add('For all.pdf', { folderId: inner.id });
  await add('Inside.pdf', { audience: 'internal' });
  await add('Fees.pdf', { audience: 'contractdept' });
  const names = async (reader: { id: number }) => {
    const { documents, counts } = await detail(contractId, reader);
    expect(counts.files).toBe(documents.length);
    return documents.map(({ name }) => name);
  };
  expect(await names(office.contracts)).toEqual(['Fees.pdf', 'Inside.pdf', 'For all.pdf']);
  expect(await names(office.inside)).toEqual(['Inside.pdf', 'For all.pdf']);
  expect(await names(office.rep)).toEqual(['For all.pdf']);
  const [file] = (await detail(contractId, office.rep)).documents;
  expect(file).toMatchObject({ folder: 'Amendments / 2026', size: 10 });
});

it('says what its reader may do, in each state', async () => {
  const item = await anItem(server.db);
  const contract = await aContract(server.db, {
    facilityIds: [office.facility.id],
    lines: [{ itemId: item.id, price: 10 }],
  });
  const actions = async (as: { id: number }) => (await detail(contract.id, as)).allowedActions;
  const reads = ['ReadHistory', 'PrintHotSheet'];
  expect(await actions(office.contracts)).toEqual(['Edit', 'Terminate', ...reads]);
  expect(await actions(office.cs)).toEqual(reads);
  expect(await actions(office.rep)).toEqual([]);
  const set = (values: object) =>
    server.db.updateTable('gpo_contract').set(values).where('id', '=', contract.id).execute();
  await set({ state: 'Terminated', terminated_on: '2090-01-01' });
  expect(await actions(office.contracts)).toEqual(['Edit', 'TakeTerminationBack', ...reads]);
  await set({ state: 'Draft', terminated_on: null });
  expect(await actions(office.contracts)).toEqual(['Edit', 'Activate', 'ReadHistory']);
});

it('names the contracts before and after it that its reader sees', async () => {
  const before = await aContract(server.db, { number: 'ROW-1' });
  const between = await aContract(server.db, { number: 'ROW-2', facilityIds: [office.facility.id] });
  const after = await aContract(server.db, { number: 'ROW-3', facilityIds: [office.facility.id] });
  const follow = (id: number, predecessor: number) =>
    server.ok(Contract.Save, { id, version: 1, predecessor: { id: predecessor } }, { as: office.contracts });
  await follow(between.id, before.id);
  await follow(after.id, between.id);
  expect((await detail(between.id, office.contracts)).contract).toMatchObject({
    predecessor: { id: before.id, number: 'ROW-1' },
    successors: [{ id: after.id, number: 'ROW-3', state: 'Active' }],
    status: 'Superseded',
  });
  // The rep serves no facility of the first contract.
  expect((await detail(between.id, office.rep)).contract).toMatchObject({
    predecessor: null,
    successors: [{ number: 'ROW-3' }],
  });
});

it('counts and lists the quotes with its prices that its reader sees', async () => {
  const { db } = server;
  const other = await aSalesOffice(db);
  const [item, plain] = [await anItem(db), await anItem(db)];
  const facilityIds = [office.facility.id, other.facility.id];
  const lines = [{ itemId: item.id, price: 10 }];
  const { id: contractId, lineIds } = await aContract(db, { facilityIds, lines });
  const quoteOf = async (where: typeof office) => {
    const quote = await aQuote(db, { facility: where.facility, ownerId: where.rep.id, salesRepId: where.rep.id });
    const line = { quote_id: quote.id, qty: 1 };
    await db
      .insertInto('quote_item')
      .values([
        { ...line, line_no: 1, item_id: item.id, line_total: 100.5, contract_line_id: lineIds[0] ?? 0 },
        { ...line, line_no: 2, item_id: item.id, line_total: 20, contract_line_id: lineIds[0] ?? 0 },
        { ...line, line_no: 3, item_id: item.id, line_total: 7, contract_line_id: lineIds[0] ?? 0, active: false },
        { ...line, line_no: 4, item_id: plain.id, line_total: 1000 },
      ])
      .execute();
    return quote.id;
  };
  const [ours, theirs] = [await quoteOf(office), await quoteOf(other)];
  const quotes = (as: { id: number }, page = 1) =>
    server.ok(Contract.GetContractQuotes, { contractId, page, pageSize: 5 }, { as });
  expect(await quotes(office.rep)).toMatchObject({
    total: 1,
    records: [{ id: ours, amount: 120.5, facilityName: office.facility.name, ownerName: office.rep.fullName }],
  });
  expect((await quotes(office.contracts)).records.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([
    ours,
    theirs,
  ]);
  expect(await quotes(office.rep, 7)).toMatchObject({ records: [], total: 1, pageCount: 1 });
  expect((await detail(contractId, office.rep)).counts).toMatchObject({ quotes: 1, moreQuotes: false });
  expect((await detail(contractId, office.contracts)).counts.quotes).toBe(2);
  const stranger = await aSalesOffice(db);
  expect((await server.call(Contract.GetContractQuotes, { contractId }, { as: stranger.rep })).status).toBe(404);
});
