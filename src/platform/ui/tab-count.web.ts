// The count in front of the title of the browser tab: '(3) Home · …'.
import { useSyncExternalStore } from 'react';

let count = '';
const watchers = new Set<() => void>();

/** An empty text shows no count. */
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
