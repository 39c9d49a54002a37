// More than two hundred hostile files at every call that takes files: each is taken or refused in words, in bounded time and memory.
import fs from 'node:fs';
import os from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ItemDocuments } from '#features/catalogue/documents/documents.contract.ts';
import { ItemImageProcess } from '#features/catalogue/pictures/pictures.contract.ts';
import { CompanyAdmin } from '#features/company/company-admin/company-admin.contract.ts';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { ContractFiles } from '#features/prices/contracts/files/contract-files.contract.ts';
import { Letters } from '#features/prices/letters-and-rosters/letters/letters.contract.ts';
import { Configurator } from '#features/quoting/configurator/configurator.contract.ts';
import { Savings } from '#features/quoting/savings/savings.contract.ts';
import { QuoteFileUpload } from '#features/quoting/workflow-calls/workflow-calls.contract.ts';
import { TazImport } from '#features/territories/taz-import/taz-import.contract.ts';
import { aContract, aLetter } from '#testing/factories/contracts.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { goodFiles, type HostileFile, hostileFiles } from '#testing/hostile-files.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { faultOf } from '#testing/walks/bad-input.server.ts';
import { calls, placeOf } from '#testing/walks/company.server.ts';

/** A refusal of one file may take this long on a slow computer that does other things, too. */
const LONGEST_MS = 30_000;
/** What the process may grow by, although the files unpack to gigabytes. */
const MOST_MEMORY = 700 * 1024 * 1024;

type UploadCall = [endpoint: Parameters<TestServer['call']>[0], input: Record<string, unknown>];

let server: TestServer;
let admin: { id: number };
let uploadCalls: UploadCall[];
let sent = 0;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'] });
  const { facility } = await aSalesOffice(server.db);
  const contract = await aContract(server.db, { facilityIds: [facility.id] });
  const letter = await aLetter(server.db, {
    contractId: contract.id,
    tierId: contract.tierId,
    facilityId: facility.id,
    state: 'Sent',
  });
  const quote = await aQuote(server.db, { facility });
  const { id: docCategoryId } = await server.db.selectFrom('document_category').select('id').executeTakeFirstOrThrow();
  uploadCalls = [
    [ItemImageProcess.UploadItemImages, {}],
    [ItemDocuments.saveItmDoc, { id: 0, docCategoryId, title: 'Document' }],
    [CompanyAdmin.UploadLogo, {}],
    ...['items', 'zip-areas'].map((kind): UploadCall => [DataImport.UploadImport, { kind }]),
    [TazImport.importTazData, {}],
    [ContractFiles.UploadContractFile, { contractId: contract.id }],
    [Letters.AttachLocFile, { id: letter.id, version: 1 }],
    [Configurator.UploadConfiguratorItems, { quoteId: quote.id }],
    [Savings.FindUsageFacilities, {}],
    [Savings.UploadUsageFile, { facilityId: facility.id, months: 12 }],
    [QuoteFileUpload.UploadQuoteFile, { quoteId: quote.id, visibleToCustomer: true }],
  ];
});
afterAll(() => server.close());

const send = async ([endpoint, input]: UploadCall, { name, bytes }: HostileFile) => {
  // A contract and a letter take each name once.
  const file = { name: `${++sent} ${name}`, bytes };
  const { status, bytes: answer } = await server.call(endpoint, input, { as: admin, file });
  const text = answer.toString();
  if (status === 200 && 'version' in input) input['version'] = (JSON.parse(text) as { version: number }).version;
  return { status, text };
};

it('every call is tried, and takes what it is for', async () => {
  const uploads = calls.filter(([, endpoint]) => placeOf(endpoint) === 'upload').map(([, endpoint]) => endpoint.path);
  expect([...new Set(uploadCalls.map(([endpoint]) => endpoint.path))].toSorted()).toEqual(uploads.toSorted());
  const good = await goodFiles();
  for (const call of uploadCalls) {
    const statuses: number[] = [];
    for (const file of good) statuses.push((await send(call, file)).status);
    expect([call[0].path, statuses.includes(200)]).toEqual([call[0].path, true]);
  }
});

it('hostile files are taken or refused in words, none takes long, and the memory stays bounded', async () => {
  const files = await hostileFiles();
  expect(files.length).toBeGreaterThan(200);
  const before = process.resourceUsage().maxRSS * 1024;
  const faults: string[] = [];
  for (const file of files)
    for (const call of uploadCalls) {
      const began = performance.now();
      const fault = faultOf(await send(call, file), [file.what, call[0].path]);
      if (fault) faults.push(fault);
      const took = Math.round(performance.now() - began);
      if (took > LONGEST_MS) faults.push(`${file.what} took ${took} ms at ${call[0].path}`);
    }
  // The pictures that looked like pictures when they arrived.
  await server.drain();
  expect(faults).toEqual([]);
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(MOST_MEMORY);
  const waiting = await server.db.selectFrom('picture').select(['state', 'problem']).where('step', '!=', '').execute();
  expect(waiting).toEqual([]);
  expect(fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('evil'))).toEqual([]);
}, 600_000);
