// A quote's status as a chip: the specification's colour, and always the word.
import { Badge, type MantineSize } from '@mantine/core';
import { STATUS_COLORS, STATUS_LABELS, type StatusId } from './status.ts';

type Props = {
  statusId: StatusId;
  /** Past its validity: said beside the status, which it does not change. */
  expired?: boolean;
  size?: MantineSize;
};

export function StatusChip({ statusId, expired = false, size = 'md' }: Props) {
  const chip = (
    <Badge
      color={STATUS_COLORS[statusId]}
      variant="light"
      size={size}
      radius="sm"
      tt="none"
      fw={600}
      style={{ flexShrink: 0 }}
    >
      {STATUS_LABELS[statusId]}
    </Badge>
  );
  if (!expired) return chip;
  return (
    <span style={{ display: 'inline-flex', gap: 4, flexShrink: 0 }}>
      {chip}
      <Badge color="gray" variant="outline" size={size} radius="sm" tt="none" fw={600}>
        Expired
      </Badge>
    </span>
  );
}
