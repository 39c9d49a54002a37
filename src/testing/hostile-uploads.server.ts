// The calls that take files, in one small company, and how each answers a hostile file: it takes it, or refuses it in words, in bounded time.
import fs from 'node:fs';
import os from 'node:os';
import { ItemDocuments } from '#core/catalog/documents/documents.contract.ts';
import { ItemImageProcess } from '#core/catalog/pictures/pictures.contract.ts';
import { CompanyAdmin } from '#core/company/company-admin/company-admin.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ContractFiles } from '#core/prices/contracts/files/contract-files.contract.ts';
import { Letters } from '#core/prices/letters-and-rosters/letters/letters.contract.ts';
import { Configurator } from '#addons/configurators/configurator.contract.ts';
import { Savings } from '#addons/savings/savings.contract.ts';
import { QuoteFileUpload } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { TazImport } from '#core/territories/zip-assignment-import/zip-assignment-import.contract.ts';
import { aContract, aLetter } from './factories/contracts.server.ts';
import { aSalesOffice, aUser } from './factories/people.server.ts';
import { aQuote } from './factories/quotes.server.ts';
import { losingCommits } from './lost-commit.server.ts';
import { startTestServer, type TestServer } from './test-server.server.ts';
import { faultOf } from './walks/bad-input.server.ts';
import { calls, placeOf } from './walks/company.server.ts';
import { type GoodFile, goodFiles } from './hostile-files.server.ts';
import type { HostileFile } from './hostile-file.server.ts';

/** A refusal of one file may take this long on a slow computer that does other things, too. */
const MAX_DURATION_MS = 30_000;

type UploadCall = [endpoint: Parameters<TestServer['call']>[0], input: Record<string, unknown>];

export async function startUploads() {
  const server = await startTestServer();
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
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
  const uploadCalls: UploadCall[] = [
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

  const good = await goodFiles();
  let sent = 0;
  const send = async ([endpoint, input]: UploadCall, { name, bytes }: Omit<GoodFile, 'what'>) => {
    // A contract and a letter take each name once.
    const file = { name: `${++sent} ${name}`, bytes };
    const { status, bytes: answer } = await server.call(endpoint, input, { as: admin, file });
    const text = answer.toString();
    if (status === 200 && 'version' in input) input['version'] = (JSON.parse(text) as { version: number }).version;
    return { status, text };
  };
  /** The first of the good files that a call takes. */
  const takenBy = async (call: UploadCall): Promise<string | undefined> => {
    for (const file of good) if ((await send(call, file)).status === 200) return file.what;
    return undefined;
  };
  /** Sends the good files while no commit is confirmed, and returns the answers' statuses. */
  const sendWithLostCommits = async (call: UploadCall): Promise<Set<number>> => {
    const { database } = server.services;
    const { db, longDb } = database;
    Object.assign(database, { db: losingCommits(db), longDb: losingCommits(longDb) });
    try {
      const statuses = new Set<number>();
      for (const file of good) statuses.add((await send(call, file)).status);
      return statuses;
    } finally {
      Object.assign(database, { db, longDb });
    }
  };
  /** The names of the files that have a row but no bytes. */
  const filesWithoutBytes = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const { name, storage_key } of await server.db.selectFrom('file').select(['name', 'storage_key']).execute())
      await server.services.files.get(storage_key).catch(() => names.push(name));
    return names;
  };
  /** What is wrong with the answers of these calls to one file. */
  const faultsOf = async (file: HostileFile, uploads: UploadCall[]): Promise<string[]> => {
    const faults: string[] = [];
    const bytes = file.bytesOf();
    for (const call of uploads) {
      const began = performance.now();
      const fault = faultOf(await send(call, { name: file.name, bytes }), [file.what, call[0].path]);
      if (fault) faults.push(fault);
      const took = Math.round(performance.now() - began);
      if (took > MAX_DURATION_MS) faults.push(`${file.what} took ${took} ms at ${call[0].path}`);
    }
    return faults;
  };
  /** Pictures that looked like pictures when they arrived and are not done with after all background work. */
  const unfinishedPictures = async () => {
    await server.drain();
    return server.db.selectFrom('picture').select(['state', 'problem']).where('step', '!=', '').execute();
  };
  return {
    uploadCalls,
    takenBy,
    sendWithLostCommits,
    filesWithoutBytes,
    faultsOf,
    unfinishedPictures,
    close: server.close,
  };
}

/** The addresses of all calls that take files. */
export const uploadAddresses = calls
  .filter(([, endpoint]) => placeOf(endpoint) === 'upload')
  .map(([, endpoint]) => endpoint.path);

/** The files that a name in an upload has put elsewhere. */
export const escapedFiles = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('evil'));
