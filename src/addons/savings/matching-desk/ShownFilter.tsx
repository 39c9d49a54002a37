// Which rows the bench shows, with how many there are of each.
import { Chip, Group } from '@mantine/core';
import type { Analysis } from '../savings.contract.ts';
import { SHOWN_LABELS } from '../savings-labels.ts';
import type { RowsShown } from '../savings-words.ts';
import classes from '../savings.module.css';

type Props = { analysis: Analysis; value: RowsShown; onChange: (shown: RowsShown) => void };

const ORDER: RowsShown[] = ['to-look-at', 'no-match', 'taken', 'dearer', 'no-bid', 'left-out', 'all'];

export function ShownFilter({ analysis, value, onChange }: Props) {
  const { counts, totals } = analysis;
  const countOf: Record<RowsShown, number> = {
    'to-look-at': counts.toLookAt,
    'no-match': counts.noMatch,
    taken: counts.taken,
    dearer: totals.dearerRows,
    'no-bid': counts.noBid,
    'left-out': counts.leftOut,
    all: counts.all,
  };
  return (
    <Group gap={6} role="radiogroup" aria-label="Rows shown" className={classes['shown']}>
      {ORDER.map((one) => (
        <Chip
          key={one}
          type="radio"
          name="rows-shown"
          size="xs"
          value={one}
          checked={one === value}
          onChange={() => onChange(one)}
        >
          {SHOWN_LABELS[one]} <span className="tabular">{countOf[one].toLocaleString('en-US')}</span>
        </Chip>
      ))}
    </Group>
  );
}
