// How documents are named on screens: states with their tones, audiences, languages.
import type { Tone } from '#ui/tones.ts';
import type { Audience, DOC_FILTERS, DOC_STATES } from './documents.contract.ts';

export const STATE_LABELS: Record<(typeof DOC_FILTERS)[number], string> = {
  Current: 'Current',
  EndsSoon: 'Ends soon',
  Coming: 'Coming',
  Ended: 'Ended',
  Unlinked: 'Linked to nothing',
};
export const STATE_TONES: Record<(typeof DOC_STATES)[number], Tone> = {
  Current: 'green',
  EndsSoon: 'orange',
  Coming: 'blue',
  Ended: 'red',
};

export const AUDIENCE_LABELS: Record<Audience, string> = {
  Internal: 'Internal: who sees cost and margin',
  Staff: 'Staff: everybody who signs in',
  Customer: 'Customer: may go with quotes',
};

export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
  { value: 'de', label: 'German' },
  { value: 'pt', label: 'Portuguese' },
  { value: 'zh', label: 'Chinese' },
];

export function languageName(code: string): string {
  return LANGUAGES.find(({ value }) => value === code)?.label ?? code;
}

/** '12 kB', '1.4 MB' */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
