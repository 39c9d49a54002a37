// Keeps the row in which somebody types where it is on the screen while lines of others come and go above it.
import type { BoardStore } from '../state/board-store.ts';

export function holdRow({ subscribe }: Pick<BoardStore, 'subscribe'>): () => void {
  let isWaiting = false;
  // The store tells of a change before the screen shows it.
  return subscribe(() => {
    const row = document.activeElement?.closest('[data-line]:has([data-typed])');
    if (!row || isWaiting) return;
    isWaiting = true;
    const { top } = row.getBoundingClientRect();
    requestAnimationFrame(() => {
      isWaiting = false;
      const moved = row.getBoundingClientRect().top - top;
      if (row.isConnected && moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' });
    });
  });
}
