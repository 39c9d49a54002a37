// The words that screens use for pushes and their states.
import type { Tone } from '#platform/ui/tones.ts';
import type { PushKind, PushState } from './crm.contract.ts';

export const PUSH_LABELS: Record<PushState, string> = {
  Waiting: 'Waiting',
  Pushed: 'Pushed',
  Failed: 'Failed',
  Blocked: 'Needs a choice',
};
export const PUSH_TONES: Record<PushState, Tone> = {
  Waiting: 'blue',
  Pushed: 'green',
  Failed: 'red',
  Blocked: 'orange',
};
export const KIND_LABELS: Record<PushKind, string> = { Opportunity: 'Opportunity', Contact: 'Contact' };
