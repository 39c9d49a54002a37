// A quote's status as a chip: the specification's colour, and always the word.
import classes from './quotes.module.css';
import { statusTones } from './status-tones.ts';
import { STATUS_LABELS, type StatusId } from './status.ts';

type Props = {
  statusId: StatusId;
  /** Past its validity: said beside the status, which it does not change. */
  expired?: boolean;
};

export function StatusChip({ statusId, expired = false }: Props) {
  return (
    <span className={classes['chips']}>
      <span className={classes['chip']} style={statusTones(statusId)}>
        {STATUS_LABELS[statusId]}
      </span>
      {expired ? <span className={classes['expired']}>Expired</span> : null}
    </span>
  );
}
