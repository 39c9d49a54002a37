// Reads the company's settings for approval reminders and escalations, and schedules the job for the hour when one is due.
import { z } from 'zod';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { Id } from '#platform/shared/wire.ts';

/** The job that reminds and escalates for one pending request until it is decided. The workflow's `approvalReminderJob` runs it. */
export const approvalReminder = { name: 'approval-reminder', payload: z.object({ requestId: Id }) };

const HOUR = 3_600_000;

type Waiting = { requested_at: string; reminded_at: string | null; escalated_at: string | null };
/** A step that a request has not had yet, and when it is due. Steps that are switched off in the settings are left out. */
export type DueStep = { step: 'remind' | 'escalate'; at: Date };

export async function dueSteps(db: Db, request: Waiting): Promise<DueStep[]> {
  const { remind_after_hours, escalate_after_hours } = await readReminderHours(db);
  const due = (hours: number) => new Date(new Date(request.requested_at).getTime() + hours * HOUR);
  const steps: DueStep[] = [];
  if (!request.reminded_at && remind_after_hours > 0) steps.push({ step: 'remind', at: due(remind_after_hours) });
  if (!request.escalated_at && escalate_after_hours > 0)
    steps.push({ step: 'escalate', at: due(escalate_after_hours) });
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

export function readReminderHours(db: Db) {
  return db.selectFrom('approval_reminder').selectAll().executeTakeFirstOrThrow();
}

/** Schedules the job for the time when the first step is due, in the transaction `db`. Does nothing when no step is left. */
export async function remindLater(
  db: Db,
  services: Pick<Services, 'jobs' | 'clock'>,
  request: Waiting & { id: number },
): Promise<void> {
  const [first] = await dueSteps(db, request);
  if (!first) return;
  const inSeconds = Math.max(1, Math.ceil((first.at.getTime() - services.clock.now().getTime()) / 1000));
  await services.jobs.send(db, approvalReminder, { requestId: request.id }, { inSeconds });
}

/** Reschedules every pending request after the settings change. */
export async function rescheduleReminders(db: Db, services: Pick<Services, 'jobs' | 'clock'>): Promise<void> {
  const waiting = await db
    .selectFrom('approval_request')
    .select(['id', 'requested_at', 'reminded_at', 'escalated_at'])
    .where('state', '=', 'Pending')
    .orderBy('id')
    .execute();
  for (const request of waiting) await remindLater(db, services, request);
}
