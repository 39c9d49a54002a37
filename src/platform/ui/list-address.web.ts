// Keeps the filters, order and page of a list in the address, so that a reload or a shared link shows the same list. Stores the last ones.
import type { UseQueryResult } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { pageNumber } from '#platform/shared/page-number.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { type Address, useAddress, useIsHere } from './address.web.ts';
import { HIDE } from './list-columns.web.ts';
import { startViewOf } from './start-view.web.ts';

type Filters = Record<string, string>;

/** How the address represents a default filter that the user removed, because empty values are omitted. */
const ALL = 'all';

export type ListAddress<F extends Filters> = {
  /** The filters as text, each '' if it is not set. */
  filters: F;
  page: number;
  sort: Sort;
  /** Changes filters and returns to page 1. */
  filter: (patch: Partial<F>) => void;
  goTo: (page: number) => void;
  sortBy: (sort: Sort) => void;
  /** The filters in the address of a view of this list. */
  filtersOf: (view: Address) => F;
};

/**
 * The browser stores the last filters and order under `name`; null stores nothing. `none` contains the default filters, and `first` the default
 * order. `others` names other parameters of the address that are kept but not stored, such as hidden columns.
 */
export function useListAddress<F extends Filters>(
  name: string | null,
  none: F,
  first: Sort,
  others: readonly string[] = [],
): ListAddress<F> {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const address = useAddress();
  const isHere = useIsHere();
  const blank = Object.keys(address).length === 0;
  const key = name === null ? null : `quoteboard.list.${name}`;

  const filters = filtersIn(address, none);
  const [field = '', dir] = (address['sort'] ?? '').split('.');
  const sort: Sort = field ? { field, dir: dir === 'desc' ? 'desc' : 'asc' } : first;
  const page = pageNumber(address['page']);

  const go = (next: { filters: F; page: number; sort: Sort }) => {
    const search: Record<string, string> = { page: String(next.page) };
    for (const [filter, value] of Object.entries(next.filters))
      if (value !== none[filter]) search[filter] = value || ALL;
    if (next.sort.field !== first.field || next.sort.dir !== first.dir)
      search['sort'] = `${next.sort.field}.${next.sort.dir}`;
    if (key) localStorage.setItem(key, JSON.stringify(search));
    for (const other of [...others, HIDE]) {
      const value = address[other];
      if (value !== undefined) search[other] = value;
    }
    void navigate({ to: pathname, search, replace: true, resetScroll: false });
  };

  useEffect(() => {
    if (!blank || !isHere()) return;
    const last = key ? localStorage.getItem(key) : null;
    const search = startViewOf(pathname) ?? (last ? (JSON.parse(last) as Record<string, string>) : null);
    if (search) void navigate({ to: pathname, search, replace: true });
  }, [blank, isHere, key, navigate, pathname]);

  return {
    filters,
    page,
    sort,
    filter: (patch) => go({ filters: { ...filters, ...patch }, page: 1, sort }),
    goTo: (next) => go({ filters, page: next, sort }),
    sortBy: (next) => go({ filters, page: 1, sort: next }),
    filtersOf: (view) => filtersIn(view, none),
  };
}

/** Returns the filters in an address. Missing filters have their default. */
export function filtersIn<F extends Filters>(address: Address, none: F): F {
  return Object.fromEntries(
    Object.entries(none).map(([field, value]) => {
      const text = (address[field] ?? value).slice(0, 200);
      return [field, value !== '' && text === ALL ? '' : text];
    }),
  ) as F;
}

type Found<T> = UseQueryResult<{ records: T[]; pageCount: number; total: number; more?: boolean }>;

/** Returns the props of a DataList from an answer and the address of the list. */
export function pageShown<T>(
  result: Found<T>,
  list: Omit<ListAddress<Filters>, 'filter' | 'filtersOf'>,
  pageSize: number,
) {
  return {
    rows: result.data?.records,
    error: result.error,
    onRetry: () => void result.refetch(),
    refreshing: result.isPlaceholderData,
    sort: list.sort,
    onSort: list.sortBy,
    page: list.page,
    pageSize,
    pageCount: result.data?.pageCount,
    total: result.data?.total,
    more: result.data?.more,
    reading: {
      of: JSON.stringify([list.filters, list.page, list.sort]),
      at: result.dataUpdatedAt,
      again: result.isFetching,
    },
    onPage: list.goTo,
  };
}
