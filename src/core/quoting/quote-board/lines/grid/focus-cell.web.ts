// Focuses a cell of the grid that may not have rendered yet.

const FRAMES = 60;

/** Focuses a cell of a row that does not move. If the cell is rendered, this happens after the typed text is submitted and before the next frame. */
export function moveToCell(row: number, column: string): void {
  queueMicrotask(() => {
    const cell = document.querySelector<HTMLInputElement>(`[data-cell="${row}:${column}"]`);
    if (cell && !cell.disabled) cell.focus();
    else focusCell(() => row, column);
  });
}

/** Focuses the cell as soon as it exists and is editable. Otherwise focuses the row's checkbox. Gives up after a second and runs `onMissing`. */
export function focusCell(row: () => number, column: string, onMissing?: () => void, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const at = row();
    const cells = [column, 'select'].map((entry) =>
      document.querySelector<HTMLInputElement>(`[data-cell="${at}:${entry}"]`),
    );
    const cell = cells.find((candidate) => candidate && !candidate.disabled);
    if (cell) cell.focus();
    else if (frames > 0) focusCell(row, column, onMissing, frames - 1);
    else onMissing?.();
  });
}
