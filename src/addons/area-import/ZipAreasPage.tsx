// Shows which file the areas of the map came from, restores the approximate areas, and contains the import.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ImportHistory } from '#platform/data-import/screen/ImportHistory.tsx';
import { ImportPage } from '#platform/data-import/screen/ImportPage.tsx';
import { ImportWizard } from '#platform/data-import/screen/ImportWizard.tsx';
import { useImportAddress } from '#platform/data-import/screen/import-address.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { stateName } from '#platform/shared/us-states.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { AreaImport } from './area-import.contract.ts';

const KINDS = ['zip-areas'];

export default function ZipAreasPage() {
  const { id, open, list } = useImportAddress('zip-area-imports');
  return (
    <ImportPage
      title="ZIP Areas"
      hint="The territory map shows approximate ZIP areas. To show the real areas, import a Census file. Each file replaces the previous one. Areas do not affect which territory a ZIP belongs to."
    >
      <ImportedFile importId={id} />
      <ImportWizard kinds={KINDS} id={id} onOpen={open} />
      <ImportHistory kinds={KINDS} list={list} onOpen={open} />
    </ImportPage>
  );
}

function ImportedFile({ importId }: { importId: number | null }) {
  const { data, error, refetch } = useQuery(api(AreaImport).GetImportedAreas.query({}));
  const open = useQuery({ ...api(DataImport).GetImport.query({ id: importId ?? 0 }), enabled: importId !== null });
  const state = open.data?.state;
  // A finished import or undo changes the areas, so reload them.
  useEffect(() => {
    if (state === 'Applied' || state === 'Undone') void refetch();
  }, [state, refetch]);
  const [isLeaving, setLeaving] = useState(false);
  const leave = useMutation({
    ...api(AreaImport).UseBuiltInAreas.mutation(),
    onSuccess: () => setLeaving(false),
  });
  const close = () => {
    setLeaving(false);
    leave.reset();
    void refetch();
  };
  const imported = data?.imported;
  return (
    <Stack component="section" className="card" aria-label="Areas on the map" p="md" gap="xs" align="flex-start">
      <Title order={2} size="h4">
        Areas on the map
      </Title>
      <ErrorAlert error={error} title="The areas could not be loaded" onRetry={refetch} />
      {imported ? (
        <>
          <Text size="sm">
            From {imported.file}, imported by {imported.by}
            {imported.at ? `, ${formatInstant(imported.at)}` : ''}:{' '}
            {imported.states
              .map((entry) => `${stateName(entry.state)} (${entry.areas.toLocaleString('en-US')})`)
              .join(', ')}
            . Other states have the built-in approximate areas.
          </Text>
          <Button variant="default" onClick={() => setLeaving(true)}>
            Use approximate areas
          </Button>
        </>
      ) : data ? (
        <Text size="sm">All states have the built-in approximate areas.</Text>
      ) : null}
      {isLeaving && data && imported ? (
        <ConfirmDialog
          title="Use approximate areas?"
          action="Use approximate areas"
          busy={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate({ version: data.version })}
          onClose={close}
        >
          <Text size="sm">
            The map will show the built-in approximate areas. To show the imported areas again, import the file again.
          </Text>
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}
