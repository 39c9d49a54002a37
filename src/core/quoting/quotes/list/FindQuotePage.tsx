// Find Quote: filters, their summary, results, export (specification section 2).
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { useAddress, useIsHere } from '#platform/ui/address.web.ts';
import { counted } from '#platform/ui/counted.ts';
import { ExportButton, ExportError } from '#platform/ui/Export.tsx';
import { HIDE } from '#platform/ui/list-columns.web.ts';
import { ListTools } from '#platform/ui/list-tools.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { startViewOf } from '#platform/ui/start-view.web.ts';
import { type QuoteRow, QuoteSearch } from '../quotes.contract.ts';
import { addressOf, type Criteria, criteriaOf, NO_CRITERIA, refiltered, restored } from './criteria-address.ts';
import { FilterSummary } from './FilterSummary.tsx';
import { QuoteFilters } from './QuoteFilters.tsx';
import { QuoteList } from './QuoteList.tsx';
import { countQuotes, readLastCriteria, useQuoteLookups, useQuotePage } from './quote-page.web.ts';
import { type Selection, SelectionBar, useSelection } from './Selecting.tsx';

const EXPORT_LIMIT = 50_000;

/** What another component may know about the selected quotes, and do with the selection. */
export type SelectedQuotes = {
  rows: QuoteRow[];
  change: Selection['change'];
  seen: Selection['seen'];
  /** The search that found them. */
  criteria: Criteria;
  found: { total: number; more?: boolean | undefined };
};

/** `actions` renders the actions for the selected quotes. */
export default function FindQuotePage({ actions }: { actions: (selected: SelectedQuotes) => ReactNode }) {
  const { criteria: request, go } = useCriteria();
  const criteria = request ?? NO_CRITERIA;
  const lookups = useQuoteLookups();
  const result = useQuotePage(request, 'find');
  const exported = useMutation({ ...api(QuoteSearch).ExportQuotes.mutation(), onSuccess: saveFile });
  const total = result.data?.total ?? 0;
  const search = JSON.stringify(addressOf({ ...criteria, page: 1, sort: NO_CRITERIA.sort }));
  const selection = useSelection(result.data?.records, search);

  const filter = (next: Criteria) => {
    const changed = refiltered(criteria, next);
    if (JSON.stringify(addressOf(changed)) === JSON.stringify(addressOf(criteria))) void result.refetch();
    else go(changed);
  };
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Find Quote</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        <Title order={1}>Find Quote</Title>
        <ListTools countOf={(address) => countQuotes(criteriaOf(address))} />
      </Group>
      <QuoteFilters criteria={criteria} lookups={lookups.data} searching={result.isFetching} onSubmit={filter} />
      <section className="card" aria-label="Results">
        <Group px="md" py="xs" justify="space-between" gap="sm">
          <FilterSummary criteria={criteria} lookups={lookups.data} onChange={filter} />
          {/* Reserves space for the number, so that the other elements do not wrap when it appears. */}
          <Text size="sm" className="muted tabular" role="status" ml="auto" miw={96} mih="1lh" ta="right">
            {result.data ? `${counted(result.data)} ${total === 1 ? 'quote' : 'quotes'}` : ''}
          </Text>
          <Group gap="sm" ml={{ base: 'auto', sm: 0 }}>
            <Button
              variant={selection.ticks.inCards ? 'light' : 'default'}
              hiddenFrom="sm"
              aria-pressed={selection.ticks.inCards}
              onClick={selection.switchCards}
            >
              Select
            </Button>
            <ExportButton
              exported={exported}
              onExport={() => exported.mutate(criteria)}
              total={total}
              title={
                result.data?.more ? `At most the first ${EXPORT_LIMIT.toLocaleString('en-US')} in this order` : 'As CSV'
              }
            />
          </Group>
        </Group>
        <ExportError exported={exported} />
        <div style={{ borderTop: '1px solid var(--app-line)' }}>
          <QuoteList
            label="Quotes found"
            result={result}
            criteria={criteria}
            onPage={(page, replace) => go({ ...criteria, page }, replace)}
            onSort={(sort) => filter({ ...criteria, sort })}
            ticks={selection.ticks}
          />
        </div>
        <SelectionBar selection={selection}>
          {actions({ ...selection, criteria, found: { total, more: result.data?.more } })}
        </SelectionBar>
      </section>
    </Stack>
  );
}

/** The criteria in the address. If there are none, writes those of the start view, or else the user's last criteria, to the address. */
function useCriteria(): { criteria: Criteria | null; go: (next: Criteria, replace?: boolean) => void } {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const address = useAddress();
  const isHere = useIsHere();
  const blank = Object.keys(address).length === 0;
  const chosen = blank ? startViewOf(paths.findQuoteInternal) : null;
  const last = useQuery({
    ...api(QuoteSearch).GetUserDefaultQuoteSearchCriteria.query({}),
    queryFn: readLastCriteria,
    enabled: blank && !chosen,
    ...READ_ANEW,
    meta: { global: 'Your last search could not be read.' },
  });
  const hide = (chosen ?? address)[HIDE];
  const go = useCallback(
    (next: Criteria, replace = false) =>
      void navigate({ to: pathname, search: { ...addressOf(next), [HIDE]: hide }, replace, resetScroll: false }),
    [navigate, pathname, hide],
  );
  // Without remembered criteria: everything, newest first. A search begins at its first page, which shows the newest quotes.
  const start = chosen
    ? criteriaOf(chosen)
    : last.data
      ? { ...restored(last.data), page: 1 }
      : last.error
        ? NO_CRITERIA
        : null;
  const startAt = start ? JSON.stringify(start) : null;
  useEffect(() => {
    if (blank && startAt && isHere()) go(JSON.parse(startAt) as Criteria, true);
  }, [blank, startAt, isHere, go]);
  return { criteria: blank ? start : criteriaOf(address), go };
}
