// Names a field for an amount that became too large to compute with, assuming that the largest number of the input caused it.
import { MOST } from '#platform/shared/money.ts';
import { type HttpError, invalid } from './http-error.ts';

/** Returns the refusal of an input whose amounts become too large. Without any number in the input, it names the first field. */
export function tooLarge(input: unknown): HttpError {
  const numbers = numbersIn(input, '').toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const [first = ''] = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  const message = `This results in an amount of more than ${MOST.toLocaleString('en-US')}, which is too large.`;
  return invalid([{ path: numbers[0]?.path ?? first, message }]);
}

/** Numbers that identify records are not amounts. */
const NAMES = /^(?:id|version|page|pageSize|.*Id|.*Ids)$/;

function numbersIn(value: unknown, path: string): { path: string; value: number }[] {
  if (typeof value === 'number') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    NAMES.test(name) ? [] : numbersIn(inner, path === '' ? name : `${path}.${name}`),
  );
}
