// The words that the media library uses for where pictures are stored and how to fix them.
import type { Tone } from '#ui/tones.ts';
import type { CloudKind, CloudMend } from './cloud.contract.ts';

export const KIND_LABELS: Record<CloudKind, string> = {
  both: 'In the cloud',
  unknown: 'Unknown here',
  missing: 'Missing in the cloud',
  here: 'Only here',
};
export const KIND_TONES: Record<CloudKind, Tone> = { both: 'green', unknown: 'violet', missing: 'red', here: 'orange' };

/** What each kind means, in a sentence. */
export const KIND_HINTS: Record<CloudKind, string> = {
  both: 'The cloud has them, and we know them.',
  unknown:
    'The cloud has these files, but no picture here refers to them. Take them into the inbox, or remove them from the cloud.',
  missing: 'We stored them in the cloud, but it no longer has them. Upload them again.',
  here: 'They were filed before a cloud was connected. Upload them.',
};

export const MENDS: Record<CloudKind, CloudMend[]> = {
  both: [],
  unknown: ['takeIn', 'remove'],
  missing: ['upload'],
  here: ['upload'],
};
export const MEND_LABELS: Record<CloudMend, string> = {
  upload: 'Upload',
  takeIn: 'Take into the inbox',
  remove: 'Remove from the cloud…',
};
