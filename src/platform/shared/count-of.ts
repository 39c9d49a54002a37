// Writes a count with its noun.

/** '1 line', '1,200 lines', '2 facilities' */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
