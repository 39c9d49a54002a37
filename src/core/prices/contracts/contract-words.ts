// The texts about contracts on screens.
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';

/** '07/12/2026', with a remark if the day is in the past. */
export function firmUntilInWords(day: IsoDate, today: IsoDate): string {
  return day < today ? `${formatDate(day)}, which is in the past` : formatDate(day);
}

/** '12 days left', 'last day', 'ended 3 days ago'. */
export function daysLeftInWords(days: number): string {
  if (days === 0) return 'last day today';
  const size = `${Math.abs(days).toLocaleString('en-US')} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return days > 0 ? `${size} left` : `ended ${size} ago`;
}

export const AWARD_TYPES = [
  { value: 'sole', label: 'Sole source' },
  { value: 'dual', label: 'Dual source' },
  { value: 'multi', label: 'Multi source' },
  { value: 'local', label: 'Local agreement' },
];

/** 'Dual source'. An unknown kind of award is returned as entered. */
export function awardInWords(awardType: string): string {
  return AWARD_TYPES.find(({ value }) => value === awardType)?.label ?? awardType;
}

/** An agreement without a GPO is called 'Local'. */
export function gpoInWords(name: string | null): string {
  return name ?? 'Local';
}
