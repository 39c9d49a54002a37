// The count before the title of the browser tab: '(3) Home · …'.
import { useSyncExternalStore } from 'react';

let count = '';
const watchers = new Set<() => void>();

/** Empty: none. */
export function setTabCount(next: string): void {
  count = next;
  for (const watcher of watchers) watcher();
}

export function useTabCount(): string {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => count,
  );
}
