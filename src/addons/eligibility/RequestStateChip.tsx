// The state of an eligibility request as a chip.
import { Chip } from '#platform/ui/Chip.tsx';
import type { Tone } from '#platform/ui/tones.ts';
import { type RequestState, STATE_LABELS } from './request-steps.ts';

const TONES: Record<RequestState, Tone> = {
  Draft: 'violet',
  Requested: 'blue',
  InReview: 'blue',
  NeedInfo: 'orange',
  SentToGpo: 'violet',
  Approved: 'green',
  Rejected: 'red',
  Withdrawn: 'red',
  Lapsed: 'red',
  Revoked: 'red',
};

export function RequestStateChip({ state }: { state: RequestState }) {
  return <Chip tone={TONES[state]}>{STATE_LABELS[state]}</Chip>;
}
