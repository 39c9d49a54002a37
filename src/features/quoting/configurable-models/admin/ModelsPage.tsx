// The list of configurable models, with the size of each and how often people have configured it.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.web.ts';
import { countOf } from '#shared/count-of.ts';
import { formatDate } from '#shared/dates.ts';
import { paths } from '#shared/paths.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#ui/Active.tsx';
import { AddLink } from '#ui/AddButton.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { pageShown, useListAddress } from '#ui/list-address.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { ConfigurableModels, type ModelRow } from '../configurable-models.contract.ts';

const PAGE_SIZE = 50;

export default function ModelsPage() {
  const navigate = useNavigate();
  const list = useListAddress('configurable-models', { keyword: '', active: '' }, { field: 'name', dir: 'asc' });
  const { keyword, active } = list.filters;
  const criteria = { keyword, active: activeOrNot(active), sort: list.sort };
  const found = useQuery({
    ...api(ConfigurableModels).SearchConfigurableModels.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(ConfigurableModels).ExportConfigurableModels.mutation(), onSuccess: saveFile });

  return (
    <ListPage
      title="Configurable Models"
      hint="What can be put together on a quote from options, and the rules between them."
      noun={['model', 'models']}
      total={found.data?.total}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={<AddLink label="Add Model" to={paths.newConfigurableModel} />}
      filters={
        <>
          <KeywordField
            label="Name or description"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <ActiveFilter value={active} onChange={(next) => list.filter({ active: next })} />
        </>
      }
    >
      <DataList
        label="Configurable Models"
        columns={COLUMNS}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        onOpen={(row) => void navigate({ to: paths.configurableModel(row.id) })}
        card={(row) => <ModelCard row={row} />}
      />
    </ListPage>
  );
}

const COLUMNS: Column<ModelRow>[] = [
  { field: 'name', title: 'Model', render: (row) => <OpenLink row={row} /> },
  { title: 'Description', width: 300, render: (row) => row.description || '–' },
  { field: 'className', title: 'Item class', render: (row) => row.className || '–' },
  { title: 'Base item', render: (row) => row.baseItemNumber || '–' },
  { field: 'options', title: 'Options', figure: true, render: (row) => row.options },
  { field: 'rules', title: 'Rules', figure: true, render: (row) => row.rules },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
  {
    field: 'configurations',
    title: 'Configurations',
    figure: true,
    render: (row) => row.configurations.toLocaleString('en-US'),
  },
  { field: 'changedAt', title: 'Changed', render: (row) => formatDate(row.changedAt) },
];

function OpenLink({ row }: { row: ModelRow }) {
  return (
    <Anchor component={Link} to={paths.configurableModel(row.id)} fw={600}>
      {row.name}
    </Anchor>
  );
}

function ModelCard({ row }: { row: ModelRow }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap">
        <OpenLink row={row} />
        <ActiveChip active={row.active} />
      </Group>
      {row.description ? <Text size="sm">{row.description}</Text> : null}
      <Text size="sm" className="muted">
        {countOf(row.options, 'option')} · {countOf(row.rules, 'rule')} · {countOf(row.configurations, 'configuration')}
      </Text>
    </Stack>
  );
}
