// Puts the focus into a cell of the grid that may still have to be drawn.

const FRAMES = 60;

/** Focuses the cell once it is there and can be edited; gives up after a second. `onMissing` runs when it never comes. */
export function focusCell(row: () => number, column: string, onMissing?: () => void, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const cell = document.querySelector<HTMLInputElement>(`[data-cell="${row()}:${column}"]`);
    if (cell && !cell.disabled) cell.focus();
    else if (frames > 0) focusCell(row, column, onMissing, frames - 1);
    else onMissing?.();
  });
}
