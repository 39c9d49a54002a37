// Formats the number of rows and pages of a list whose counting may have stopped early.

export type Counted = { total: number; more?: boolean | undefined };

/** Returns '26' or '1,000+'. */
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

/** Returns the last page that may have rows. If counting stopped early, another page may follow a full one. */
export function lastPage({ page = 1, pageCount = 0, pageSize = 20, rows = [], more = false }: Paged): number {
  return more ? Math.max(pageCount, rows.length < pageSize ? page : page + 1) : pageCount;
}
