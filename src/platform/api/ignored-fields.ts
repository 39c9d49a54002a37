// Finds input fields that the schema does not define. Screens send back whole records, so extra fields are accepted, but API clients get a warning.
const MAX_FIELDS = 40;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns the paths of fields that parsing dropped, without list indexes: 'items.uom'. At most 40. */
export function ignoredFields(input: unknown, output: unknown): string[] {
  const result = new Set<string>();
  const collect = (from: unknown, to: unknown, path: string): void => {
    if (!isRecord(from) || !isRecord(to) || result.size >= MAX_FIELDS) return;
    const isList = Array.isArray(from);
    for (const [name, value] of Object.entries(from)) {
      const below = isList ? path : path ? `${path}.${name}` : name;
      if (!isList && value !== undefined && !Object.hasOwn(to, name)) result.add(below);
      else collect(value, to[name], below);
    }
  };
  collect(input, output, '');
  return [...result].slice(0, MAX_FIELDS);
}
