// Fills the demo company's contract folders with a few files for each audience.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { DemoContract } from './demo-agreed-prices.server.ts';
import { onePagePdf } from './one-page-pdf.server.ts';

const FOLDERS = [
  {
    name: 'Agreement',
    files: [{ name: 'Signed agreement.pdf', audience: 'all', text: 'The agreement as both sides signed it.' }],
  },
  {
    name: 'Amendments',
    files: [
      { name: 'Amendment 1.pdf', audience: 'all', text: 'Adds sizes to the lines of the contract.' },
      { name: 'Amendment 2, draft.pdf', audience: 'contractdept', text: 'Not agreed yet.' },
    ],
  },
  {
    name: 'Sales material',
    files: [{ name: 'Talking points.pdf', audience: 'internal', text: 'Why a facility gains by the next tier.' }],
  },
] as const;

export async function fillContractFiles(services: Services, db: Db, contracts: DemoContract[]): Promise<void> {
  for (const { id: contract_id, number } of contracts.slice(0, 3)) {
    for (const { name, files } of FOLDERS) {
      const folder = await db
        .insertInto('contract_folder')
        .values({ contract_id, name, name_key: name.toLowerCase() })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const entry of files) {
        const bytes = onePagePdf([`Contract ${number}`, entry.name, '', 'Demonstration document.', entry.text]);
        const file = await db
          .insertInto('file')
          .values({
            storage_key: await services.files.put(bytes),
            name: entry.name,
            media_type: 'application/pdf',
            size: bytes.length,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const stored = await db
          .insertInto('contract_file')
          .values({
            contract_id,
            folder_id: folder.id,
            name: entry.name,
            name_key: entry.name.toLowerCase(),
            audience: entry.audience,
            file_id: file.id,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await db
          .insertInto('contract_file_version')
          .values({ contract_file_id: stored.id, version_no: 1, file_id: file.id })
          .execute();
      }
    }
  }
}
