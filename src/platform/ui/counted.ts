// How many rows and pages a list has when counting stopped early.

export type Counted = { total: number; more?: boolean | undefined };

/** '26', '1,000+' */
export function counted({ total, more = false }: Counted): string {
  return `${total.toLocaleString('en-US')}${more ? '+' : ''}`;
}

type Paged = {
  page?: number | undefined;
  pageCount?: number | undefined;
  pageSize?: number | undefined;
  rows?: readonly unknown[] | undefined;
  more?: boolean | undefined;
};

/** The last page that may have rows. Where counting stopped early, a full page may have another one behind it. */
export function lastPage({ page = 1, pageCount = 0, pageSize = 20, rows = [], more = false }: Paged): number {
  return more ? Math.max(pageCount, rows.length < pageSize ? page : page + 1) : pageCount;
}
