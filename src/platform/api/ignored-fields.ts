// Finds input fields that the schema does not define. Screens send back whole records, so extra fields are accepted, but API clients get a warning.
const MOST_NAMED = 40;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns the paths of fields that parsing dropped, without list indexes: 'items.uom'. At most 40. */
export function ignoredFields(sent: unknown, parsed: unknown): string[] {
  const result = new Set<string>();
  const look = (from: unknown, to: unknown, path: string): void => {
    if (!isRecord(from) || !isRecord(to) || result.size >= MOST_NAMED) return;
    const isList = Array.isArray(from);
    for (const [name, value] of Object.entries(from)) {
      const below = isList ? path : path ? `${path}.${name}` : name;
      if (!isList && value !== undefined && !Object.hasOwn(to, name)) result.add(below);
      else look(value, to[name], below);
    }
  };
  look(sent, parsed, '');
  return [...result].slice(0, MOST_NAMED);
}
