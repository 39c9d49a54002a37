// Creates folders and files of contracts over HTTP, as the contract department does.
import { ContractFiles } from '#core/prices/contracts/files/contract-files.contract.ts';
import { aContract } from './factories/contracts.server.ts';
import type { aSalesOffice } from './factories/people.server.ts';
import type { TestServer } from './test-server.server.ts';

type Office = Awaited<ReturnType<typeof aSalesOffice>>;

export const pdf = (name: string, text = name) => ({ name, bytes: Buffer.from(`%PDF-1.7 ${text}`) });

/** `server` and `office` return those of the test file, which exist once its tests run. */
export function contractFiles(server: () => TestServer, office: () => Office) {
  /** A contract that the office's facility buys under. */
  const ours = async () => (await aContract(server().db, { facilityIds: [office().facility.id] })).id;
  const aFolder = async (contractId: number, name: string, parentId: number | null = null) =>
    server().ok(ContractFiles.SaveContractFolder, { id: 0, contractId, parentId, name }, { as: office().contracts });
  const upload = (
    fields: Record<string, unknown>,
    file: { name: string; bytes: Buffer },
    as: { id: number } = office().contracts,
  ) => server().call(ContractFiles.UploadContractFile, fields, { as, file });
  const aFile = async (contractId: number, name: string, fields: Record<string, unknown> = {}) => {
    const answer = await upload({ contractId, ...fields }, pdf(name));
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  return { ours, aFolder, upload, aFile };
}
