// The state of a list of records: its filters in the address, the page of results, its export.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { Sort } from '#platform/shared/wire.ts';
import type { Address } from './address.web.ts';
import { pageShown, useListAddress } from './list-address.web.ts';
import { saveFile } from './save-file.web.ts';

type Page<T> = { records: T[]; pageCount: number; total: number; more?: true | undefined };
type Reading = { signal: AbortSignal };
type Paging = 'page' | 'pageSize' | 'sort';
/** The call of `api(…)` that returns the list. */
type Find<C, A> = {
  (criteria: C): Promise<A>;
  query: (criteria: C) => { queryKey: readonly [string, C]; queryFn: (reading: Reading) => Promise<A> };
};
/** The call that returns the list as a file. */
type Export<C> = { mutation: () => { mutationFn: (criteria: C) => Promise<Parameters<typeof saveFile>[0]> } };

type List<F, C, A> = {
  /** The browser stores the last filters under this name; null stores none. */
  name: string | null;
  /** The filters in the address, each with its initial value. */
  filters: F;
  sort: Sort;
  /** Converts the filters into the criteria of the call. */
  criteria: (filters: F) => Omit<C, Paging>;
  find: Find<C, A>;
  exported?: Export<C>;
  pageSize?: number;
  /** Reads the page again after this many milliseconds. */
  every?: number;
};

export function useRecordList<
  F extends Record<string, string>,
  C extends object,
  T extends { id: number },
  A extends Page<T>,
>({ name, filters, sort, criteria: criteriaOf, find, exported, pageSize = 50, every }: List<F, C, A & Page<T>>) {
  const list = useListAddress(name, filters, sort);
  const criteria = criteriaOf(list.filters);
  const all = { ...criteria, sort: list.sort } as C;
  const result = useQuery({
    ...find.query({ ...all, page: list.page, pageSize }),
    placeholderData: keepPreviousData,
    ...(every ? { refetchInterval: every } : {}),
  });
  const file = useMutation({ mutationFn: exported?.mutation().mutationFn, onSuccess: saveFile });
  return {
    ...list,
    criteria,
    found: result,
    /** The props of the field for one filter. */
    field: (filter: keyof F & string) => ({
      value: list.filters[filter] ?? '',
      onChange: (value: string) => list.filter({ [filter]: value } as Partial<F>),
    }),
    /** The props of the ListPage. */
    page: {
      total: result.data?.total,
      countOf: (view: Address) => find({ ...criteriaOf(list.filtersOf(view)), page: 1, pageSize: 1 } as never),
      ...(exported ? { exported: { ...file, mutate: () => file.mutate(all) } } : {}),
    },
    /** The props of the DataList. */
    rows: { ...pageShown<T>(result, list, pageSize), rowKey: (row: T) => row.id },
  };
}
