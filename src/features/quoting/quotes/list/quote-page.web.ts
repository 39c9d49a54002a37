// One page of quotes from the server, and what the filters offer, as both lists ask for them.
import { keepPreviousData, type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { QuoteSearch } from '../quotes.contract.ts';
import { OPEN_STATUSES } from '../status.ts';
import { type Criteria, NO_CRITERIA } from './criteria-address.ts';

export const PAGE_SIZE = 20;

/** The page that the criteria name; null while it is not known yet what to ask for. The server remembers them for the screen. */
export function useQuotePage(criteria: Criteria | null, remember: 'find' | 'home') {
  const { queryKey, queryFn } = pageOf(criteria, remember);
  return useQuery({
    queryKey,
    queryFn: criteria ? queryFn : skipToken,
    // What is cached is shown at once, and asked for again: the server must learn what was last searched for.
    staleTime: ASKED_JUST_NOW,
    placeholderData: keepPreviousData,
    // What is on the screen stays; that it is not what was asked for must not be overlooked.
    meta: { global: 'The search failed.' },
  });
}

/** Milliseconds: what was asked for while the screen was loading is not asked for again by the screen. */
const ASKED_JUST_NOW = 1000;

const pageOf = (criteria: Criteria | null, remember: 'find' | 'home') =>
  api(QuoteSearch).SearchQuotesForSalesRep.query({ ...criteria, pageSize: PAGE_SIZE, remember });

/** Asks for the open quotes as they were left, while the home screen is still loading. */
export async function prefetchHome(queries: QueryClient): Promise<void> {
  const { home } = await queries.fetchQuery({ ...lookups, staleTime: 60_000 });
  await queries.prefetchQuery(pageOf({ ...NO_CRITERIA, ...home, qtStatuses: [...OPEN_STATUSES] }, 'home'));
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
