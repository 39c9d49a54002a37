// The names of the steps that move a quote (design 2); quote-workflow decides who may take them.
import { z } from 'zod';

export const ACTIONS = [
  'Submit',
  'StartProcess',
  'Recall',
  'RequestInfo',
  'ProvideInfo',
  'RequestApproval',
  'ApproveDiscount',
  'RejectDiscount',
  'RecallApproval',
  'Send',
  'Resend',
  'Revise',
  'DiscardRevision',
  'MarkWon',
  'MarkLost',
  'Cancel',
  'Reopen',
] as const;
export const ActionName = z.enum(ACTIONS);
export type ActionName = z.infer<typeof ActionName>;
