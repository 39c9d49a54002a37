// The words that screens use for contracts.
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';

/** '07/12/2026', or that the day is past. */
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

/** 'Dual source'; an unknown kind of award stays as entered. */
export function awardInWords(awardType: string): string {
  return AWARD_TYPES.find(({ value }) => value === awardType)?.label ?? awardType;
}

/** People call an agreement without a GPO 'Local'. */
export function gpoInWords(name: string | null): string {
  return name ?? 'Local';
}
