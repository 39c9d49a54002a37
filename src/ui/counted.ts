// How a list says how many rows it has: what was counted, with a plus sign where counting stopped.

export type Counted = { total: number; more?: boolean | undefined };

/** '26', '1,000+' */
export function counted({ total, more = false }: Counted): string {
  return `${total.toLocaleString('en-US')}${more ? '+' : ''}`;
}
