// One page of quotes from the server, and what the filters offer, as both lists ask for them.
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import type { Criteria } from './criteria-address.ts';
import { QuoteSearch } from './quotes.contract.ts';

export const PAGE_SIZE = 20;

/** The page that the criteria name; null while it is not known yet what to ask for. The server remembers them for the screen. */
export function useQuotePage(criteria: Criteria | null, remember: 'find' | 'home') {
  const { queryKey, queryFn } = api(QuoteSearch).SearchQuotesForSalesRep.query({
    ...criteria,
    pageSize: PAGE_SIZE,
    remember,
  });
  return useQuery({
    queryKey,
    queryFn: criteria ? queryFn : skipToken,
    // What is cached is shown at once, and asked for again: the server must learn what was last searched for.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

const lookups = api(QuoteSearch).GetUserDefaultQuoteSearchLookups.query({});

/** The choices of the filters; they change seldom. A failure is told above the screen (specification section 2, Home). */
export function useQuoteLookups() {
  return useQuery({ ...lookups, staleTime: 60_000, meta: { global: 'The filters could not be loaded.' } });
}

/** Tells the lookups at hand what the server remembers by now of the home screen's filter. */
export function useKeepHomeFilter() {
  const queries = useQueryClient();
  return ({ salesRepId, csRepId }: Criteria) =>
    queries.setQueryData<Lookups>(lookups.queryKey, (known) => known && { ...known, home: { salesRepId, csRepId } });
}

export type Lookups = NonNullable<ReturnType<typeof useQuoteLookups>['data']>;
