// Focuses a cell of the grid that may not have rendered yet.

const FRAMES = 60;

/** Focuses the cell once it exists and is editable, else the row's checkbox. Gives up after a second and runs `onMissing`. */
export function focusCell(row: () => number, column: string, onMissing?: () => void, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const at = row();
    const cells = [column, 'select'].map((one) =>
      document.querySelector<HTMLInputElement>(`[data-cell="${at}:${one}"]`),
    );
    const cell = cells.find((one) => one && !one.disabled);
    if (cell) cell.focus();
    else if (frames > 0) focusCell(row, column, onMissing, frames - 1);
    else onMissing?.();
  });
}
