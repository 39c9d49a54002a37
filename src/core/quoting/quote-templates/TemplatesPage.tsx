// The list of quote templates: who may use each one, and how many quotes were made from it.
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
import { QuoteTemplates, type TemplateRow } from './quote-templates.contract.ts';
import { usersInWords } from './template-words.ts';

export default function TemplatesPage() {
  const navigate = useNavigate();
  const list = useRecordList({
    name: 'quote-templates',
    filters: { keyword: '', active: 'true' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, active }) => ({ keyword, active: activeOrNot(active) }),
    find: api(QuoteTemplates).SearchQuoteTemplates,
    exported: api(QuoteTemplates).ExportQuoteTemplates,
  });

  return (
    <ListPage
      title="Quote Templates"
      noun={['template', 'templates']}
      {...list.page}
      actions={<AddLink label="Add Template" to={paths.newQuoteTemplate} />}
      filters={
        <>
          <KeywordField label="Name or description" {...list.field('keyword')} />
          <ActiveFilter {...list.field('active')} />
        </>
      }
    >
      <DataList
        label="Quote Templates"
        columns={COLUMNS}
        {...list.rows}
        rowHref={(row) => paths.quoteTemplate(row.id)}
        onOpen={(row) => void navigate({ to: paths.quoteTemplate(row.id) })}
        card={(row) => <TemplateCard row={row} />}
      />
    </ListPage>
  );
}

const COLUMNS: Column<TemplateRow>[] = [
  { field: 'name', title: 'Template', render: (row) => <OpenLink row={row} /> },
  { title: 'Description', width: 300, render: (row) => row.description || '–' },
  { field: 'lines', title: 'Lines', figure: true },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
  { title: 'Who may use it', width: 220, render: usersInWords },
  { field: 'quotes', title: 'Quotes made from it', figure: true },
  { field: 'changedAt', title: 'Changed', render: (row) => formatDate(row.changedAt) },
];

function OpenLink({ row }: { row: TemplateRow }) {
  return (
    <Anchor component={Link} to={paths.quoteTemplate(row.id)} fw={600}>
      {row.name}
    </Anchor>
  );
}

function TemplateCard({ row }: { row: TemplateRow }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap">
        <OpenLink row={row} />
        <ActiveChip active={row.active} />
      </Group>
      {row.description ? <Text size="sm">{row.description}</Text> : null}
      <Text size="sm" className="muted">
        {countOf(row.lines, 'line')} · {usersInWords(row)} · {countOf(row.quotes, 'quote')} made from it
      </Text>
    </Stack>
  );
}
