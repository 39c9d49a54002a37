// The words of the screens of savings analyses for states, confidences and amounts.
import { withMinus } from '#platform/shared/money.ts';
import { percentPlaces } from '#platform/shared/percent.ts';
import type { Tone } from '#platform/ui/tones.ts';
import type { AnalysisState, Confidence, QuoteQuantities, RowsShown } from './savings-words.ts';

export const STATE_LABELS: Record<AnalysisState, { label: string; tone: Tone }> = {
  columns: { label: 'Check columns', tone: 'orange' },
  reading: { label: 'Reading', tone: 'blue' },
  'to-match': { label: 'To review', tone: 'orange' },
  ready: { label: 'Ready', tone: 'green' },
  quoted: { label: 'Quoted', tone: 'violet' },
  failed: { label: 'Failed', tone: 'red' },
};

export const CONFIDENCE_LABELS: Record<Confidence, { label: string; tone: Tone }> = {
  certain: { label: 'certain', tone: 'green' },
  likely: { label: 'likely', tone: 'blue' },
  possible: { label: 'possible', tone: 'orange' },
  none: { label: 'no match', tone: 'red' },
};

export const SHOWN_LABELS: Record<RowsShown, string> = {
  'to-look-at': 'To review',
  'no-match': 'No match',
  taken: 'Certain or accepted',
  'no-bid': 'No bid',
  dearer: 'We cost more',
  'left-out': 'Left out',
  all: 'All',
};

export const QUANTITY_LABELS: Record<QuoteQuantities, string> = {
  year: 'One year',
  month: 'One month',
  order: 'First order',
};

/** '12.5%', '−3%'. '–' without a figure. */
export function percentText(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return '–';
  return `${withMinus(percent.toLocaleString('en-US', { maximumFractionDigits: percentPlaces(percent), signDisplay: 'negative' }))}%`;
}

/** A note about freight, which the figures never include, because the customer's freight cost is unknown. */
export function freightText(freightTerms: string): string {
  return freightTerms === ''
    ? 'Freight is not included, and no freight terms are set.'
    : `Freight terms: ${freightTerms}. Freight is not included.`;
}

const DAY_MS = 86_400_000;

/** An age: 'today', '1 day', '12 days'. */
export function ageText(instant: string, now: number): string {
  const days = Math.floor((now - Date.parse(instant)) / DAY_MS);
  return days <= 0 ? 'today' : days === 1 ? '1 day' : `${days} days`;
}
