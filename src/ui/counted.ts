// Writes how many rows a list has, with a plus sign when counting stopped early.

export type Counted = { total: number; more?: boolean | undefined };

/** '26', '1,000+' */
export function counted({ total, more = false }: Counted): string {
  return `${total.toLocaleString('en-US')}${more ? '+' : ''}`;
}
