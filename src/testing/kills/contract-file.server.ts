// A server killed during the upload of a contract's file: the file is stored whole or not at all, and can be sent again.
import { expect } from 'vitest';
import { ContractFiles, FolderFileNav } from '#core/prices/contracts/files/contract-files.contract.ts';
import { aContract } from '../factories/contracts.server.ts';
import { aUser } from '../factories/people.server.ts';
import { aboutToWrite, after, type KillCase, type KilledServer } from './kill-case.server.ts';

const SIZE = 20 * 1024 * 1024;

export async function contractFile(): Promise<KillCase> {
  let contractId = 0;
  const bytes = Buffer.alloc(SIZE, 'x');
  bytes.write('%PDF-1.7');
  const upload = (server: KilledServer, name: string) =>
    server.statusOf(ContractFiles.UploadContractFile, { contractId }, { name, bytes });
  const filesOf = async (server: KilledServer) =>
    (await server.ok(FolderFileNav.navGPOContractFolder, { contractId })).files.records;

  /** The files that were sent, and the status that the client received. */
  const sent: { name: string; status: Promise<number> }[] = [];
  const begin = (server: KilledServer) => {
    const name = `amendment ${sent.length}.pdf`;
    sent.push({ name, status: upload(server, name) });
  };
  return {
    fill: async ({ db }) => {
      contractId = (await aContract(db)).id;
      return aUser(db, { roles: ['contractdept'] });
    },
    points: [
      // Half of it has arrived.
      {
        work: async (server) => {
          const name = `amendment ${sent.length}.pdf`;
          sent.push({ name, status: Promise.resolve(0) });
          await server.sendHalf(ContractFiles.UploadContractFile, { contractId }, { name, bytes });
        },
      },
      // The file is in the store, and its row is not written.
      { work: aboutToWrite('contract_file', begin) },
      ...[20, 60, 120, 250].map((wait) => ({ work: after(wait, begin) })),
    ],
    rest: async (server) => {
      const stored = (await filesOf(server)).map(({ name }) => name);
      for (const { name, status } of sent) {
        // A client with a positive answer finds the file. A client without one sends it again, or learns that the file is there.
        expect((await status) !== 200 || stored.includes(name)).toBe(true);
        expect([name, await upload(server, name)]).toEqual([name, stored.includes(name) ? 409 : 200]);
      }
      expect(stored).not.toContain(sent[0]?.name);
      const files = await filesOf(server);
      expect(files.map(({ name }) => name).toSorted()).toEqual(sent.map(({ name }) => name));
      for (const { id, size } of files) {
        expect(size).toBe(SIZE);
        const answer = await server.fetchFrom(ContractFiles.DownloadContractFile, { id });
        expect(answer.status).toBe(200);
        expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
      }
    },
    proof: async () => {},
  };
}
