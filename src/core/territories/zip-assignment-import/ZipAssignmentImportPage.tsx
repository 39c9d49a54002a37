// The page that assigns ZIPs from a file (specification section 2, /admin/admin-taz-import): import, open quotes to move, history.
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ImportHistory } from '#platform/data-import/screen/ImportHistory.tsx';
import { ImportPage } from '#platform/data-import/screen/ImportPage.tsx';
import { ImportWizard } from '#platform/data-import/screen/ImportWizard.tsx';
import { useImportAddress } from '#platform/data-import/screen/import-address.web.ts';
import { useMovingQuotes } from '#core/territories/territory-admin/moving-quotes/MoveQuotesDialog.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { TazImport } from './zip-assignment-import.contract.ts';

const KINDS = ['taz'];

export default function ZipAssignmentImportPage() {
  const { id, open, list } = useImportAddress('taz-imports');
  return (
    <ImportPage
      title="TAZ Import"
      hint="Which territory serves which ZIPs. Existing assignments end the day before; nothing is deleted."
    >
      <ImportWizard kinds={KINDS} id={id} onOpen={open} upload={(file) => api(TazImport).importTazData({ file })} />
      {id === null ? null : <QuotesToMove importId={id} />}
      <ImportHistory kinds={KINDS} list={list} onOpen={open} />
    </ImportPage>
  );
}

/** After an import that affects open quotes, offers to move them. No quote moves automatically. */
function QuotesToMove({ importId }: { importId: number }) {
  const moving = useMovingQuotes(null);
  const { data } = useQuery(api(DataImport).GetImport.query({ id: importId }));
  const affected = data?.report?.figures.find(({ label }) => label === 'Open quotes affected')?.count ?? 0;
  if (data?.state !== 'Applied' || affected === 0) return moving.dialog;
  return (
    <section className="card" aria-label="Open quotes">
      <Group p="md" justify="space-between">
        <Text size="sm">
          {countOf(affected, 'open quote was', 'open quotes were')} affected by this import. New quotes follow it
          automatically, open ones only when they are moved.
        </Text>
        <Button variant="default" onClick={moving.open}>
          Move open quotes
        </Button>
      </Group>
      {moving.dialog}
    </section>
  );
}
