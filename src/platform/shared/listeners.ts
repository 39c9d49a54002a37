// A set of listeners, and a function that calls them.

/**
 * Creates a set of listeners. `add` returns the function that removes the listener, as useSyncExternalStore expects. `any` returns whether there are
 * listeners.
 */
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
