// The open quotes of a territory and their value.
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { NO_CRITERIA } from '#core/quoting/quotes/list/criteria-address.ts';
import { QuoteList } from '#core/quoting/quotes/list/QuoteList.tsx';
import { PAGE_SIZE } from '#core/quoting/quotes/list/quote-page.web.ts';
import { QUOTE_SORT_FIELDS, QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { OPEN_STATUSES } from '#core/quoting/quotes/status.ts';
import type { TerritoryTab } from '../territory-tab.web.ts';
import { PanelBar } from '../zips/TerritoryZipsPanel.tsx';

type Props = { territoryId: number; worth: string; list: TerritoryTab['list'] };

export function TerritoryQuotesPanel({ territoryId, worth, list }: Props) {
  const field = QUOTE_SORT_FIELDS.find((quoteSortField) => quoteSortField === list.sort.field);
  const sort = field ? { field, dir: list.sort.dir } : NO_CRITERIA.sort;
  const criteria = { ...NO_CRITERIA, territoryId, qtStatuses: [...OPEN_STATUSES], page: list.page, sort };
  const result = useQuery({
    ...api(QuoteSearch).SearchQuotesForSalesRep.query({ ...criteria, pageSize: PAGE_SIZE, remember: 'none' }),
    placeholderData: keepPreviousData,
    meta: { global: 'The quotes could not be loaded.' },
  });
  return (
    <>
      <PanelBar
        filters={
          <Text size="sm" className="muted tabular">
            Worth {worth}
          </Text>
        }
      />
      <QuoteList label="Open quotes" result={result} criteria={criteria} onPage={list.goTo} onSort={list.sortBy} />
    </>
  );
}
