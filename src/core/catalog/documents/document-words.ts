// The words that screens use for documents: states with their tones, audiences, languages.
import type { Tone } from '#platform/ui/tones.ts';
import type { Audience, DOC_FILTERS, DOC_STATES } from './documents.contract.ts';

export const STATE_LABELS: Record<(typeof DOC_FILTERS)[number], string> = {
  Current: 'Current',
  EndsSoon: 'Ends soon',
  Coming: 'Scheduled',
  Ended: 'Ended',
  Unlinked: 'Not linked',
};
export const STATE_TONES: Record<(typeof DOC_STATES)[number], Tone> = {
  Current: 'green',
  EndsSoon: 'orange',
  Coming: 'blue',
  Ended: 'red',
};

export const AUDIENCE_LABELS: Record<Audience, string> = {
  Internal: 'Internal: people who see cost and margin',
  Staff: 'Staff: everyone who signs in',
  Customer: 'Customer: can be sent with quotes',
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
