// A quote's status as a chip: the specification's colour, and always the word.
import { Chip } from '#ui/Chip.tsx';
import classes from './list/quotes.module.css';
import { STATUS_COLORS, STATUS_LABELS, type StatusId } from './status.ts';

type Props = {
  statusId: StatusId;
  /** Past its validity: said beside the status, which it does not change. */
  expired?: boolean;
};

export function StatusChip({ statusId, expired = false }: Props) {
  return (
    <span className={classes['chips']}>
      <Chip tone={STATUS_COLORS[statusId]}>{STATUS_LABELS[statusId]}</Chip>
      {expired ? <span className={classes['expired']}>Expired</span> : null}
    </span>
  );
}
