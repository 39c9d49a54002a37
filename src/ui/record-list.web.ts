// The state of a list of records: its criteria in the address, the page that was found, its export.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { Sort } from '#shared/wire.ts';
import type { Address } from './address.web.ts';
import { pageShown, useListAddress } from './list-address.web.ts';
import { saveFile } from './save-file.web.ts';

type Paging = 'page' | 'pageSize' | 'sort';
type Page<T> = { records: T[]; pageCount: number; total: number; more?: true | undefined };
type Reading = { signal: AbortSignal };
/** The calls of `api(…)` that answer the list. */
type Find<C, T> = {
  (criteria: C): Promise<Page<T>>;
  query: (criteria: C) => { queryKey: readonly [string, C]; queryFn: (reading: Reading) => Promise<Page<T>> };
};
type Export<C> = { mutation: () => { mutationFn: (criteria: C) => Promise<Parameters<typeof saveFile>[0]> } };

type List<F, C, T> = {
  /** The browser keeps the last criteria under this name. */
  name: string;
  /** The filters in the address, each with the value that it has at first. */
  filters: F;
  sort: Sort;
  /** What the filters ask the server for. */
  criteria: (filters: F) => Omit<C, Paging>;
  find: Find<C, T>;
  exported: Export<C>;
};

const PAGE_SIZE = 50;

export function useRecordList<F extends Record<string, string>, C extends object, T extends { id: number }>(
  given: List<F, C, T>,
) {
  const list = useListAddress(given.name, given.filters, given.sort);
  const criteria = given.criteria(list.filters);
  const asked = (more: object, of: object = criteria) => ({ ...of, ...more }) as C;
  const found = useQuery({
    ...given.find.query(asked({ sort: list.sort, page: list.page, pageSize: PAGE_SIZE })),
    placeholderData: keepPreviousData,
  });
  const file = useMutation({ ...given.exported.mutation(), onSuccess: saveFile });
  return {
    criteria,
    /** The props of the field that filters by `name`. */
    filter: (name: keyof F & string) => ({
      value: list.filters[name] ?? '',
      onChange: (value: string) => list.filter({ [name]: value } as Partial<F>),
    }),
    /** The props of the ListPage. */
    page: {
      total: found.data?.total,
      countOf: (view: Address) => given.find(asked({ page: 1, pageSize: 1 }, given.criteria(list.filtersOf(view)))),
      exported: { ...file, mutate: () => file.mutate(asked({ sort: list.sort })) },
    },
    /** The props of the DataList. */
    rows: { ...pageShown<T>(found, list, PAGE_SIZE), rowKey: (row: T) => row.id },
  };
}
