// The list of quote templates: who may use each, and how often quotes were made from it.
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
import { QuoteTemplates, type TemplateRow } from './quote-templates.contract.ts';
import { usersInWords } from './template-words.ts';

const PAGE_SIZE = 50;

export default function TemplatesPage() {
  const navigate = useNavigate();
  const list = useListAddress('quote-templates', { keyword: '', active: 'true' }, { field: 'name', dir: 'asc' });
  const { keyword, active } = list.filters;
  const asked = (given: typeof list.filters) => ({ ...given, active: activeOrNot(given.active) });
  const criteria = { ...asked(list.filters), sort: list.sort };
  const found = useQuery({
    ...api(QuoteTemplates).SearchQuoteTemplates.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(QuoteTemplates).ExportQuoteTemplates.mutation(), onSuccess: saveFile });

  return (
    <ListPage
      title="Quote Templates"
      noun={['template', 'templates']}
      total={found.data?.total}
      countOf={(view) =>
        api(QuoteTemplates).SearchQuoteTemplates({ ...asked(list.filtersOf(view)), page: 1, pageSize: 1 })
      }
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={<AddLink label="Add Template" to={paths.newQuoteTemplate} />}
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
        label="Quote Templates"
        columns={COLUMNS}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        onOpen={(row) => void navigate({ to: paths.quoteTemplate(row.id) })}
        card={(row) => <TemplateCard row={row} />}
      />
    </ListPage>
  );
}

const COLUMNS: Column<TemplateRow>[] = [
  { field: 'name', title: 'Template', render: (row) => <OpenLink row={row} /> },
  { title: 'Description', width: 300, render: (row) => row.description || '–' },
  { field: 'lines', title: 'Lines', figure: true, render: (row) => row.lines },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
  { title: 'Who may use it', width: 220, render: usersInWords },
  { field: 'quotes', title: 'Quotes made from it', figure: true, render: (row) => row.quotes.toLocaleString('en-US') },
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
