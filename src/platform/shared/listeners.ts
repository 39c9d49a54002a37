// Who wants to hear of something, and telling them.

/** `add` returns the function that ends the listening, as useSyncExternalStore wants it. `any`: whether somebody listens. */
export function listeners<Said extends unknown[] = []>() {
  const all = new Set<(...said: Said) => void>();
  return {
    add: (listener: (...said: Said) => void) => {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell: (...said: Said) => {
      for (const listener of all) listener(...said);
    },
    any: () => all.size > 0,
  };
}
