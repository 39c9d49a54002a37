// Focuses a cell of the grid that may not have rendered yet.

const FRAMES = 60;

/** Focuses the cell once it exists and is editable; gives up after a second and runs `onMissing`. */
export function focusCell(row: () => number, column: string, onMissing?: () => void, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const cell = document.querySelector<HTMLInputElement>(`[data-cell="${row()}:${column}"]`);
    if (cell && !cell.disabled) cell.focus();
    else if (frames > 0) focusCell(row, column, onMissing, frames - 1);
    else onMissing?.();
  });
}
