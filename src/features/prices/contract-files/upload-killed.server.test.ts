// Tests a server killed during the upload of a contract's file: the file is stored whole or not at all, and can be sent again.
import { expect, test } from 'vitest';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aServerToKill } from '#testing/server-to-kill.server.ts';
import { ContractFiles, FolderFileNav } from './contract-files.contract.ts';

const SIZE = 20 * 1024 * 1024;

test('an upload is stored whole or not at all', { timeout: 300_000 }, async () => {
  let contractId = 0;
  const server = await aServerToKill(async ({ db }) => {
    contractId = (await aContract(db)).id;
    return aUser(db, { roles: ['contractdept'] });
  });
  const bytes = Buffer.alloc(SIZE, 'x');
  bytes.write('%PDF-1.7');
  const upload = (name: string) => server.fetchFrom(ContractFiles.UploadContractFile, { contractId }, { name, bytes });
  const names = async () => (await server.ok(FolderFileNav.navGPOContractFolder, { contractId })).files.records;

  await server.start();
  for (const [at, wait] of [20, 60, 120, 250].entries()) {
    const name = `amendment ${at}.pdf`;
    const sending = upload(name).then(
      ({ status }) => status,
      () => 0,
    );
    await server.kill(wait);
    const status = await sending;
    await server.start();
    const [found] = (await names()).filter((file) => file.name === name);
    // A client with a positive answer finds the file. A client without one sends it again, or learns that the file is there.
    expect(status !== 200 || found !== undefined).toBe(true);
    const again = await upload(name);
    expect(again.status).toBe(found ? 409 : 200);
  }
  const files = await names();
  expect(files.map(({ name }) => name).toSorted()).toEqual([0, 1, 2, 3].map((at) => `amendment ${at}.pdf`));
  for (const { id, size } of files) {
    expect(size).toBe(SIZE);
    const answer = await server.fetchFrom(ContractFiles.DownloadContractFile, { id });
    expect(answer.status).toBe(200);
    expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  }
  await server.stop();
});
