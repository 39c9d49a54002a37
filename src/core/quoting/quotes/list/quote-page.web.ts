// Loads one page of quotes and the filters' choices, for both lists.
import { keepPreviousData, type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { type QuoteCriteria, QuoteSearch } from '../quotes.contract.ts';
import { OPEN_STATUSES } from '../status.ts';
import { type Criteria, criteriaOf, NO_CRITERIA, restored } from './criteria-address.ts';

export const PAGE_SIZE = 20;

/** Loads the page for the criteria. The criteria are null while they are unknown. The server remembers them for the screen. */
export function useQuotePage(criteria: Criteria | null, remember: 'find' | 'home') {
  const { queryKey, queryFn } = pageOf(criteria, remember);
  return useQuery({
    queryKey,
    queryFn: criteria ? queryFn : skipToken,
    // Shows cached data immediately and requests it again, because the server must learn the last criteria.
    staleTime: ASKED_JUST_NOW,
    gcTime: WHILE_A_QUOTE_IS_WRITTEN,
    placeholderData: keepPreviousData,
    // The old page stays on the screen after a failure, so the user must not mistake it for the result.
    meta: { global: 'The search failed.' },
  });
}

/** How long data requested while the screen was loading is considered fresh, in milliseconds. */
const ASKED_JUST_NOW = 1000;

/** A user who returns from a quote within this time finds the list unchanged, at the same position. In milliseconds. */
const WHILE_A_QUOTE_IS_WRITTEN = 3_600_000;

/** Counts the quotes that match the criteria. The server does not remember these criteria. */
export const countQuotes = (criteria: Criteria) =>
  api(QuoteSearch).SearchQuotesForSalesRep({ ...criteria, page: 1, pageSize: 1, remember: 'none' });

const pageOf = (criteria: Criteria | null, remember: 'find' | 'home') =>
  api(QuoteSearch).SearchQuotesForSalesRep.query({ ...criteria, pageSize: PAGE_SIZE, remember });

/** Requests the open quotes with the last filters while the home screen is still loading. */
export async function prefetchHome(queries: QueryClient): Promise<void> {
  const { home } = await queries.fetchQuery({ ...lookups, staleTime: 60_000 });
  await queries.prefetchQuery(pageOf({ ...NO_CRITERIA, ...home, qtStatuses: [...OPEN_STATUSES] }, 'home'));
}

/** Requests the quotes of Find Quote while its screen is still loading: for the criteria in the address, or else for the last criteria. */
export async function prefetchFindQuote(queries: QueryClient, search: string): Promise<void> {
  void queries.prefetchQuery({ ...lookups, staleTime: 60_000 });
  if (search === '') {
    early = api(QuoteSearch).GetUserDefaultQuoteSearchCriteria({});
    const forget = () => setTimeout(() => (early = undefined), ASKED_JUST_NOW);
    early.then(forget, forget);
  }
  const criteria = early
    ? { ...restored(await early), page: 1 }
    : criteriaOf(Object.fromEntries(new URLSearchParams(search)));
  await queries.prefetchQuery(pageOf(criteria, 'find'));
}

let early: Promise<QuoteCriteria> | undefined;

/** The criteria of the last search. On a cold start, those that were requested while the screen was loading. */
export function readLastCriteria(): Promise<QuoteCriteria> {
  const request = early ?? api(QuoteSearch).GetUserDefaultQuoteSearchCriteria({});
  early = undefined;
  return request;
}

const lookups = api(QuoteSearch).GetUserDefaultQuoteSearchLookups.query({});

/** The filters' choices, which rarely change. A failure shows above the screen (specification section 2, Home). */
export function useQuoteLookups() {
  return useQuery({ ...lookups, staleTime: 60_000, meta: { global: 'The filters could not be loaded.' } });
}

/** Updates the cached lookups with the home screen's filter that the server now remembers. */
export function useKeepHomeFilter() {
  const queries = useQueryClient();
  return ({ salesRepId, csRepId }: Criteria) =>
    queries.setQueryData<Lookups>(lookups.queryKey, (known) => known && { ...known, home: { salesRepId, csRepId } });
}

export type Lookups = NonNullable<ReturnType<typeof useQuoteLookups>['data']>;
