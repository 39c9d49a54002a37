// Shows which states have real ZIP areas from a file, returns states to approximate areas, and holds the import.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#api/client.web.ts';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { ImportHistory } from '#features/operations/data-import/screen/ImportHistory.tsx';
import { ImportPage } from '#features/operations/data-import/screen/ImportPage.tsx';
import { ImportWizard } from '#features/operations/data-import/screen/ImportWizard.tsx';
import { useImportAddress } from '#features/operations/data-import/screen/import-address.web.ts';
import { formatInstant } from '#shared/dates.ts';
import { stateName } from '#shared/us-states.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { AreaImport, type AreaStates } from './area-import.contract.ts';

const KINDS = ['zip-areas'];

export default function ZipAreasPage() {
  const { id, open, list } = useImportAddress('zip-area-imports');
  return (
    <ImportPage
      title="ZIP Areas"
      hint="The map of territories draws approximate areas, computed from the centers of ZIPs. A Census file has the real ones. Which territory has a ZIP never depends on its area."
    >
      <ImportedStates importId={id} />
      <ImportWizard kinds={KINDS} id={id} onOpen={open} />
      <ImportHistory kinds={KINDS} list={list} onOpen={open} />
    </ImportPage>
  );
}

type State = AreaStates['states'][number];

function ImportedStates({ importId }: { importId: number | null }) {
  const { data, error, refetch } = useQuery(api(AreaImport).GetAreaStates.query({}));
  const open = useQuery({ ...api(DataImport).GetImport.query({ id: importId ?? 0 }), enabled: importId !== null });
  const state = open.data?.state;
  // A finished import or undo changes the areas, so reload them.
  useEffect(() => {
    if (state === 'Applied' || state === 'Undone') void refetch();
  }, [state, refetch]);
  const [leaving, setLeaving] = useState<State | null>(null);
  const leave = useMutation({
    ...api(AreaImport).UseBuiltInAreas.mutation(),
    onSuccess: () => setLeaving(null),
  });
  const close = () => {
    setLeaving(null);
    leave.reset();
    void refetch();
  };
  const button = (row: State) => (
    <Button
      size="xs"
      variant="default"
      aria-label={`Use approximate areas in ${stateName(row.state)}`}
      onClick={() => setLeaving(row)}
    >
      Use approximate areas
    </Button>
  );
  const columns: Column<State>[] = [
    { title: 'State', render: (row) => stateName(row.state) },
    { title: 'From the file', figure: true, render: (row) => row.imported.toLocaleString('en-US') },
    { title: 'Approximate', figure: true, render: (row) => (row.areas - row.imported).toLocaleString('en-US') },
    { title: 'File', width: 260, render: (row) => row.file },
    { title: 'By', width: 180, render: (row) => row.by },
    { title: 'When', render: (row) => (row.at ? formatInstant(row.at) : '') },
    { title: 'Change', render: button },
  ];
  return (
    <section className="card" aria-label="Imported states">
      <Title order={2} size="h4" p="md" pb={0}>
        States with imported areas
      </Title>
      <DataList
        label="States with imported areas"
        columns={columns}
        rows={data?.states.filter(({ imported }) => imported > 0)}
        rowKey={(row) => row.state}
        error={error}
        onRetry={() => void refetch()}
        empty="All states have the approximate areas that come with the program."
        card={(row) => (
          <Stack gap={4} align="flex-start">
            <Text fw={600}>{stateName(row.state)}</Text>
            <Text size="sm">
              {row.imported.toLocaleString('en-US')} from {row.file || 'a file'}
              {row.areas > row.imported ? `, ${(row.areas - row.imported).toLocaleString('en-US')} approximate` : ''}
            </Text>
            {button(row)}
          </Stack>
        )}
      />
      {leaving && data ? (
        <ConfirmDialog
          title={`Use approximate areas in ${stateName(leaving.state)}?`}
          action="Use approximate areas"
          busy={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate({ version: data.version, states: [leaving.state] })}
          onClose={close}
        >
          <Text size="sm">
            The map shows the approximate areas that come with the program again. Saved maps that were drawn on the
            imported ones keep them. To return to the imported areas, import the file again.
          </Text>
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
