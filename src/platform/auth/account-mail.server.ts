// Mails a user about a change of how the account signs in, so that nobody else changes it unnoticed.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';

/** Queues the mail in the transaction of the change. `happened` is a sentence without its period, `next` says what follows from it. */
export async function mailAccountChange(
  db: Db,
  services: Services,
  userId: number,
  { happened, next }: { happened: string; next: string },
): Promise<void> {
  const person = await db
    .selectFrom('app_user')
    .select(['user_name', 'full_name', 'active'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (!person.active) return;
  const { time_zone: zone } = await db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow();
  const { appTitle, publicUrl } = services.config;
  await queueMail(db, services.jobs, {
    to: [person.user_name],
    subject: `${appTitle}: ${happened}`,
    body: `Hello ${person.full_name},

${happened}. This happened on ${formatInstant(services.clock.now(), zone)}, in your account ${person.user_name}.

${next}

If this was you, you don't need to do anything. If it wasn't, change your password at ${publicUrl}${paths.changePassword} and tell your system administrator.
`,
  });
}
