// Shows the input that the cells of a line refused, below the line, until the user corrects or discards it.
import { Button } from '@mantine/core';
import type { RefusedText } from '../../state/board-store.ts';
import type { LineActions } from '../line-actions.web.ts';

/** A longer text would push the message off the screen. */
const MAX_SHOWN = 40;

export function RefusedCells({ refused, refuse }: { refused: readonly RefusedText[]; refuse: LineActions['refuse'] }) {
  return refused.map((cell) => (
    <div key={cell.column}>
      Not saved: {cell.problem}
      {typedText(cell.text)}{' '}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => refuse(cell.item, cell.column, null)}>
        Discard
      </Button>
    </div>
  ));
}

function typedText(text: string): string {
  if (text === '') return '';
  return ` (you entered ‘${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}’)`;
}
