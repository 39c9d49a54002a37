// Focuses a cell of the grid that may not have rendered yet.

const FRAMES = 60;

/** Focuses a cell of a row that stays where it is, at once if it is there: after what is typed has been passed on, before the next frame. */
export function moveToCell(row: number, column: string): void {
  queueMicrotask(() => {
    const cell = document.querySelector<HTMLInputElement>(`[data-cell="${row}:${column}"]`);
    if (cell && !cell.disabled) cell.focus();
    else focusCell(() => row, column);
  });
}

/** Focuses the cell once it exists and is editable, else the row's checkbox. Gives up after a second and runs `onMissing`. */
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
