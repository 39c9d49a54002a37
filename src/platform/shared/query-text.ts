// Converts the query of an address between text and values, so that an address stays readable: ?status=Editing,Won&page=2

/** Parameters that have a meaning without a value, such as `?decide` in an approval mail. Other parameters without a value have none. */
const MARKS: ReadonlySet<string> = new Set(['decide', 'printView']);

/** Parses a query; all values are text. */
export function readQuery(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a query, without parameters that have no value. Parsing and writing one of our addresses returns the same address. */
export function writeQuery(search: Record<string, unknown>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(search)) {
    if (value === '' && MARKS.has(name)) parts.push(name);
    else if (value !== undefined && value !== null && value !== '')
      parts.push(new URLSearchParams({ [name]: typeof value === 'string' ? value : JSON.stringify(value) }).toString());
  }
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
