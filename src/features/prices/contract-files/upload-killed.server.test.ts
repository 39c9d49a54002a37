// A server killed while a file of a contract comes in: the file is there whole or not at all, and can be sent again.
import { afterAll, expect, test } from 'vitest';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
} from '#testing/server-process.server.ts';
import { ContractFiles, FolderFileNav } from './contract-files.contract.ts';

const SIZE = 20 * 1024 * 1024;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

test('all or nothing', { timeout: 300_000 }, async () => {
  let userId = 0;
  let contractId = 0;
  home = await aProcessHome(async ({ db }) => {
    userId = (await aUser(db, { roles: ['contractdept'] })).id;
    contractId = (await aContract(db)).id;
  });
  const { environment, address } = home;
  const { token } = await tokensOf(home, environment, { token: { id: userId } });
  const headers = { authorization: `Bearer ${token}` };
  const bytes = Buffer.alloc(SIZE, 'x');
  bytes.write('%PDF-1.7');
  const upload = (name: string) => {
    const form = new FormData();
    form.append('contractId', String(contractId));
    form.append('file', new Blob([bytes]), name);
    return fetch(address + ContractFiles.UploadContractFile.path, { method: 'POST', headers, body: form });
  };
  const post = (path: string, body: unknown) =>
    fetch(address + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const names = async () => {
    const answer = await post(FolderFileNav.navGPOContractFolder.path, { contractId });
    const { files } = (await answer.json()) as { files: { records: { id: number; name: string; size: number }[] } };
    return files.records;
  };

  let server = await startServerProcess(environment);
  for (const [at, wait] of [20, 60, 120, 250].entries()) {
    const name = `amendment ${at}.pdf`;
    const sending = upload(name).then(
      ({ status }) => status,
      () => 0,
    );
    await new Promise((resolve) => setTimeout(resolve, wait));
    server.child.kill('SIGKILL');
    await server.ended;
    const status = await sending;
    server = await startServerProcess(environment);
    const [found] = (await names()).filter((file) => file.name === name);
    // Who was told that it is there finds it; who was not sends it again, or learns that it is there.
    expect(status !== 200 || found !== undefined).toBe(true);
    const again = await upload(name);
    expect(again.status).toBe(found ? 409 : 200);
  }
  const files = await names();
  expect(files.map(({ name }) => name).toSorted()).toEqual([0, 1, 2, 3].map((at) => `amendment ${at}.pdf`));
  for (const { id, size } of files) {
    expect(size).toBe(SIZE);
    const answer = await post(ContractFiles.DownloadContractFile.path, { id });
    expect(answer.status).toBe(200);
    expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  }
  server.child.kill('SIGTERM');
  await server.ended;
});
