// A quote's status as a chip, in the specification's color and always with the text.
import { Chip } from '#platform/ui/Chip.tsx';
import classes from './list/quotes.module.css';
import { STATUS_COLORS, STATUS_LABELS, type StatusId } from './status.ts';

type Props = {
  statusId: StatusId;
  /** Whether the quote has expired. The chip shows this beside the status, which stays unchanged. */
  expired?: boolean;
};

export function StatusChip({ statusId, expired = false }: Props) {
  return (
    <span className={classes['chips']} data-status={statusId}>
      <Chip tone={STATUS_COLORS[statusId]}>{STATUS_LABELS[statusId]}</Chip>
      {expired ? <span className={classes['expired']}>Expired</span> : null}
    </span>
  );
}
