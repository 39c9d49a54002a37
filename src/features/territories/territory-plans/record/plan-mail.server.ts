// Mails about a plan: to those who are asked to publish it, and to whoever asked.
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { queueMail } from '#features/operations/mail/outbox.server.ts';
import { paths } from '#shared/paths.ts';

/** `opening`: the first sentence; `comment`: what the author wrote. One mail to each reader. */
export async function mailAbout(
  { db, services }: { db: Db; services: Services },
  plan: { id: number; name: string },
  readers: readonly string[],
  opening: string,
  comment: string,
): Promise<void> {
  const body = [opening, comment, `${services.config.publicUrl}${paths.savedMap(plan.id)}`]
    .filter(Boolean)
    .join('\n\n');
  for (const to of readers)
    await queueMail(db, services.jobs, { to: [to], subject: `Territory plan ${plan.name}`, body });
}

/** Nobody, when the account is switched off. */
export async function addressOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_user')
    .select('user_name')
    .where('id', '=', userId)
    .where('active', '=', true)
    .execute();
  return rows.map((row) => row.user_name);
}
