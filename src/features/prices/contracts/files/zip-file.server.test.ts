// Tests ZIPs of a contract's files over HTTP: their content for each reader, and safe names.
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { aZip } from '#testing/a-zip.server.ts';
import { contractFiles, pdf } from '#testing/contract-files.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ContractFiles } from './contract-files.contract.ts';
import { zipOf } from './zip-file.server.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

const { ours, aFolder, upload, aFile } = contractFiles(
  () => server,
  () => office,
);
const zip = async (given: { contractId: number; folderId?: number }, as: { id: number } = office.contracts) =>
  server.call(ContractFiles.DownloadContractFiles, given, { as });

it('holds the newest versions of what the reader may see, in folders', async () => {
  const id = await ours();
  const folder = await aFolder(id, 'Amendments');
  const inner = await aFolder(id, '2026', folder.id);
  await aFile(id, 'Top.pdf');
  const file = await aFile(id, 'A.pdf', { folderId: inner.id });
  await upload({ contractId: id, fileId: file.id, version: 1 }, pdf('A.pdf', 'newest'));
  await aFile(id, 'Secret.pdf', { folderId: folder.id, audience: 'contractdept' });
  const all = await zip({ contractId: id });
  expect(String(all.headers['content-disposition'])).toMatch(/^attachment; filename="C-\d+\.zip"/);
  const held = await unzip(all.bytes);
  expect([...held.keys()].toSorted()).toEqual(['Amendments/2026/A.pdf', 'Amendments/Secret.pdf', 'Top.pdf']);
  expect(held.get('Amendments/2026/A.pdf')?.toString()).toContain('newest');
  expect([...(await unzip((await zip({ contractId: id, folderId: folder.id }, office.rep)).bytes)).keys()]).toEqual([
    '2026/A.pdf',
  ]);
  expect((await zip({ contractId: await ours() })).status).toBe(404);
});

it('names files that the store has lost', async () => {
  const id = await ours();
  await aFile(id, 'Here.pdf');
  const lost = await aFile(id, 'Lost.pdf');
  const { storage_key } = await server.db
    .selectFrom('contract_file_version as v')
    .innerJoin('file', 'file.id', 'v.file_id')
    .select('storage_key')
    .where('v.contract_file_id', '=', lost.id)
    .executeTakeFirstOrThrow();
  await server.services.files.remove(storage_key);
  const held = await unzip((await zip({ contractId: id })).bytes);
  expect([...held.keys()]).toEqual(['Here.pdf', 'MISSING FILES.txt']);
  expect(held.get('MISSING FILES.txt')?.toString()).toContain('Lost.pdf');
});

it('is refused when it would be too large', async () => {
  const id = await ours();
  const file = await aFile(id, 'Huge.pdf');
  await server.db
    .updateTable('file')
    .set({ size: 2 ** 31 - 1 })
    .where('id', 'in', (eb) =>
      eb.selectFrom('contract_file_version').select('file_id').where('contract_file_id', '=', file.id),
    )
    .execute();
  expect((await zip({ contractId: id })).status).toBe(422);
});

it('unpacks safely whatever the names are, and keeps equal ones apart', async () => {
  const entry = (name: string, folders: string[] = []) => ({
    name,
    folders,
    bytes: Buffer.from(name),
    changedAt: new Date('1970-01-01'),
  });
  const bytes = await buffer(
    Readable.from(
      zipOf([entry('../../evil.txt'), entry('a.txt', ['..', 'C:']), entry('A.TXT'), entry('a.txt'), entry('CON')]),
    ),
  );
  expect([...(await unzip(bytes)).keys()]).toEqual(['_.._evil.txt', 'file/C_/a.txt', 'A.TXT', 'a (2).txt', '_CON']);
});

it('is never unpacked when uploaded, not even a bomb', async () => {
  const id = await ours();
  const bomb = aZip([{ name: '#features/bomb.txt', bytes: Buffer.alloc(5_000_000), says: 4_000_000_000 }]);
  const { body } = await upload({ contractId: id }, { name: 'bomb.zip', bytes: bomb });
  expect(body).toMatchObject({ name: 'bomb.zip', mediaType: 'application/zip', size: bomb.length });
  expect((await unzip((await zip({ contractId: id })).bytes)).get('bomb.zip')).toEqual(bomb);
});

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const file = await fromBufferPromise(bytes, { strictFileNames: true, validateEntrySizes: true });
  const held = new Map<string, Buffer>();
  for await (const entry of file.eachEntry())
    held.set(entry.fileName, await buffer(await file.openReadStreamPromise(entry)));
  return held;
}
