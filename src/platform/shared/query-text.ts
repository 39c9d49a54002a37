// The query of an address as text and as values, in both directions, so that an address stays readable: ?status=Editing,Won&page=2

/** Parameters that say something by their name alone, as `?decide` of an approval mail. Any other without a value means nothing. */
const MARKS: ReadonlySet<string> = new Set(['decide', 'printView']);

/** Reads a query; all values are text. */
export function readQuery(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a query, without parameters that have no value. Reading and writing any address of ours gives the same address. */
export function writeQuery(search: Record<string, unknown>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(search)) {
    if (value === '' && MARKS.has(name)) parts.push(name);
    else if (value !== undefined && value !== null && value !== '')
      parts.push(new URLSearchParams({ [name]: typeof value === 'string' ? value : JSON.stringify(value) }).toString());
  }
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
