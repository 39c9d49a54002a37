// A door: a place in a screen or a step of the core that add-ons extend (docs/addons.md). The core declares and reads it; add-ons fill it.

/** What an add-on puts behind a door. */
export type Filling = { enter: (addon: string) => void };
export type Door<T> = {
  /** Used in the definition of an add-on. */
  with: (entry: T) => Filling;
  /** In the order of the list of add-ons. Includes the entries of add-ons that are switched off. */
  entries: () => readonly { addon: string; entry: T }[];
};

export function door<T>(): Door<T> {
  const entries: { addon: string; entry: T }[] = [];
  return {
    with: (entry) => ({ enter: (addon) => void entries.push({ addon, entry }) }),
    entries: () => entries,
  };
}
