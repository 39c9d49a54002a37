// The words that the inbox uses for stages, states and actions.
import type { OutputOf } from '#platform/api/endpoint.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import type {
  InboxStage,
  ItemImageProcess,
  PictureOperation,
  PictureRow,
  PictureStep,
} from '../../pictures.contract.ts';

/** Where the originals of pictures go. */
const STORE = appConfig.pictureCloud ? 'cloud' : 'file store';

/** The three stages by the specification's names (section 7), and the pictures that left them. */
export const STAGE_LABELS: Record<InboxStage, string> = {
  waiting: 'Waiting for process',
  upload: `Upload to ${STORE}`,
  file: 'File operation',
  refused: 'Refused',
  removed: 'Removed',
};

export const STAGE_EMPTY: Record<InboxStage, string> = {
  waiting: 'No pictures waiting. Drop pictures above.',
  upload: `Nothing is on its way to the ${STORE}.`,
  file: 'No pictures waiting to be filed.',
  refused: 'Nothing was refused.',
  removed: 'Nothing was removed.',
};

type Inbox = OutputOf<typeof ItemImageProcess.GetImagesWaitingForProcess>;
export type InboxCounts = Inbox['counts'];

/** The hint below the name of a stage. `inbox` is undefined while it loads. */
export function hintOf(stage: InboxStage, inbox: Inbox | undefined): string {
  const number = (count: number) => count.toLocaleString('en-US');
  switch (stage) {
    case 'waiting': {
      if (!inbox) return '';
      const { matched, ambiguous, unmatched } = inbox.counts;
      return `${number(matched)} matched, ${number(ambiguous)} ambiguous, ${number(unmatched)} without a product`;
    }
    case 'upload':
      if (!inbox) return '';
      return inbox.cloud ? `To Cloudinary, ${inbox.cloud}` : 'Cloudinary not connected: kept in the file store';
    case 'file':
      return 'The picture is added to the product and leaves the inbox.';
    case 'refused':
      return 'Each shows why it was refused. Files refused without being read must be uploaded again.';
    case 'removed':
      return 'Removed from its last product. It can be restored for 30 days.';
  }
}

/** The actions on a picture: the calls' operations, and sending it to its store. */
export type Action = PictureOperation | 'upload';

export const ACTION_LABELS: Record<Action, string> = {
  upload: `Send to ${STORE}`,
  file: 'File',
  retry: 'Try again',
  assign: 'Choose product…',
  rotate: 'Rotate right',
  refuse: 'Refuse',
  restore: 'Restore',
};

/** The result of each action, in words that follow the number of pictures. */
export const DONE: Record<Action, string> = {
  upload: `sent to the ${STORE}`,
  file: 'being filed',
  retry: 'retried',
  assign: 'given their product',
  rotate: 'turned',
  refuse: 'refused',
  restore: 'restored',
};

/** The actions at each stage; the first is the next step. */
export const ACTIONS: Record<InboxStage, Action[]> = {
  waiting: ['upload', 'assign', 'rotate', 'refuse', 'retry'],
  upload: ['retry', 'assign'],
  file: ['file', 'assign', 'rotate', 'retry'],
  refused: ['restore'],
  removed: ['restore'],
};

export const STEP_WORDS: Record<PictureStep, string> = {
  '': '',
  Check: 'Being checked…',
  Upload: `On its way to the ${STORE}…`,
  File: 'Being filed…',
  Refuse: 'Leaves the inbox…',
};

export function stageOf({ state }: PictureRow): InboxStage | null {
  if (state === 'Waiting') return 'waiting';
  if (state === 'Uploading' || state === 'Failed') return 'upload';
  if (state === 'Uploaded') return 'file';
  return state === 'Refused' ? 'refused' : state === 'Removed' ? 'removed' : null;
}

/** The label on a picture that says what it needs. */
export function needOf({ state, match, product }: PictureRow): { word: string; tone: Tone } {
  if (state === 'Failed') return { word: 'Failed', tone: 'red' };
  if (state === 'Refused') return { word: 'Refused', tone: 'red' };
  if (state === 'Removed') return { word: 'Removed', tone: 'violet' };
  if (state === 'Uploading') return { word: 'Uploading', tone: 'blue' };
  if (state === 'Uploaded') return { word: `In the ${STORE}`, tone: 'green' };
  if (product) return { word: 'Matched', tone: 'green' };
  return match === 'ambiguous' ? { word: 'Ambiguous', tone: 'orange' } : { word: 'No product', tone: 'violet' };
}
