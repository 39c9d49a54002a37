// The list of configurable models, with the size of each and how often users have configured it.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#platform/ui/Active.tsx';
import { AddLink } from '#platform/ui/AddButton.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { ConfigurableModels, type ModelRow } from '../configurable-models.contract.ts';

export default function ModelsPage() {
  const navigate = useNavigate();
  const list = useRecordList({
    name: 'configurable-models',
    filters: { keyword: '', active: '' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, active }) => ({ keyword, active: activeOrNot(active) }),
    find: api(ConfigurableModels).SearchConfigurableModels,
    exported: api(ConfigurableModels).ExportConfigurableModels,
  });

  return (
    <ListPage
      title="Configurable Models"
      hint="Products that can be configured on a quote, with their options and rules."
      noun={['model', 'models']}
      {...list.page}
      actions={<AddLink label="Add model" to={paths.newConfigurableModel} />}
      filters={
        <>
          <KeywordField label="Name or description" {...list.field('keyword')} />
          <ActiveFilter {...list.field('active')} />
        </>
      }
    >
      <DataList
        label="Configurable Models"
        columns={COLUMNS}
        {...list.rows}
        rowHref={(row) => paths.configurableModel(row.id)}
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
  { field: 'options', title: 'Options', figure: true },
  { field: 'rules', title: 'Rules', figure: true },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
  { field: 'configurations', title: 'Configurations', figure: true },
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
