// The shades of a status' colour, as variables that quotes.module.css mixes into readable chips.
import { STATUS_COLORS, type StatusId } from './status.ts';

export function statusTones(statusId: StatusId): Record<`--${string}`, string> {
  const color = `--mantine-color-${STATUS_COLORS[statusId]}`;
  return {
    '--deep': `var(${color}-9)`,
    '--pale': `var(${color}-2)`,
    '--tint': `var(${color}-1)`,
    '--dot': `var(${color}-6)`,
  };
}
