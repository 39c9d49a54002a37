// The detail of a contract over HTTP: what each reader finds in it, and what they may do.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ContractFiles } from '#features/prices/contract-files/contract-files.contract.ts';
import { Contract } from '#features/prices/contracts/contracts.contract.ts';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { GpoApi } from './gpo-api.contract.ts';

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
  expect(await actions(office.contracts)).toEqual(['Edit', 'Activate', ...reads]);
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
  // The rep serves nobody under the first.
  expect((await detail(between.id, office.rep)).contract).toMatchObject({
    predecessor: null,
    successors: [{ number: 'ROW-3' }],
  });
});
