// The API shapes of a reminder to the customer before the quote expires (our own).
import { z } from 'zod';
import { RequiredText } from '#platform/shared/wire.ts';
import { MAX_DAYS } from './reminder-day.ts';

export const ReminderInput = z.object({
  /** How many days before the quote expires. The reminder goes out tomorrow at the earliest, at 7 AM in the company's time zone. */
  days: z.number().int().min(1).max(MAX_DAYS),
  /** The placeholders `[quote link]` and `[valid until]` are filled when the reminder goes out. If the link is missing, it is added at the end. */
  text: RequiredText(10_000),
});
export type ReminderInput = z.infer<typeof ReminderInput>;

/** The initial values of a form. */
export const ReminderDraft = z.object({
  today: z.string(),
  validUntil: z.string(),
  subject: z.string(),
  /** Null when no reminder is set. */
  days: z.number().int().nullable(),
  text: z.string(),
});
export type ReminderDraft = z.infer<typeof ReminderDraft>;

/** A reminder that is waiting for its day. */
export const Reminder = ReminderDraft.extend({
  id: z.number().int(),
  version: z.number().int(),
  days: z.number().int(),
  /** The day on which it goes out, unless the customer responds first. */
  day: z.string(),
  to: z.array(z.string()),
  setBy: z.string(),
  /** Whether the caller may change and stop it. */
  mayChange: z.boolean(),
});
export type Reminder = z.infer<typeof Reminder>;
