// The contract department's import of contracts, their prices and their rosters from files, with the import history.
import { Box } from '@mantine/core';
import { FacilityPicker } from '#core/customers/facilities/FacilityPicker.tsx';
import { ImportHistory } from '#platform/data-import/screen/ImportHistory.tsx';
import { ImportPage } from '#platform/data-import/screen/ImportPage.tsx';
import { ImportWizard } from '#platform/data-import/screen/ImportWizard.tsx';
import { useImportAddress } from '#platform/data-import/screen/import-address.web.ts';
import { CONTRACT_KINDS } from './contract-kinds.ts';

const KINDS = CONTRACT_KINDS.map(({ kind }) => kind);

export default function ContractImportPage() {
  const { id, kind, contract, open, list } = useImportAddress('contract-imports');
  return (
    <ImportPage
      title="Contract Import"
      hint="Contracts, then their prices and rosters. Nothing is overwritten: what changes ends the day before. A place on a roster is a membership in the GPO; a file of memberships says which one is primary."
    >
      <ImportWizard
        kinds={KINDS}
        kind={kind}
        id={id}
        onOpen={open}
        {...(contract ? { answers: { contract } } : {})}
        picker={(onPick) => (
          <Box w={280} maw="100%">
            <FacilityPicker takesFocus onPick={(facility) => onPick(facility.id)} />
          </Box>
        )}
      />
      <ImportHistory kinds={KINDS} list={list} onOpen={open} />
    </ImportPage>
  );
}
