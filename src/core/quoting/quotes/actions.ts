// The names of the steps that change a quote's status (design 2). quote-workflow decides who may perform them.
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
