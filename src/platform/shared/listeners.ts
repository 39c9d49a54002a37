// A set of listeners, and a function that calls them.

/** `add` returns the function that ends the listening, as useSyncExternalStore wants it. `any`: whether somebody listens. */
export function listeners<Args extends unknown[] = []>() {
  const all = new Set<(...args: Args) => void>();
  return {
    add: (listener: (...args: Args) => void) => {
      all.add(listener);
      return () => all.delete(listener);
    },
    notify: (...args: Args) => {
      for (const listener of all) listener(...args);
    },
    any: () => all.size > 0,
  };
}
