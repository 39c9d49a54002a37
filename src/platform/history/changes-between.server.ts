// The differences between a record before and after a change, in words.
import type { FieldChange } from '#platform/shared/conflict.ts';

/** `labels` lists the compared fields in order; lists are compared by their entries. */
export function changesBetween<T extends object>(
  before: Partial<T>,
  after: Partial<T>,
  labels: Partial<Record<keyof T, string>>,
): FieldChange[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const was = valueInWords(before[name as keyof T]);
    const is = valueInWords(after[name as keyof T]);
    return was === is ? [] : [{ field: String(label), before: was, after: is }];
  });
}

function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueInWords).join(', ');
  if (typeof value === 'object') return 'name' in value ? valueInWords(value.name) : JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
