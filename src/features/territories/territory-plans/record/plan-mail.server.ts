// Sends mail about a plan to the people who can publish it, and to the person who asked them to.
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { queueMail } from '#features/operations/mail/outbox.server.ts';
import { paths } from '#shared/paths.ts';

/** Sends each reader a mail. `opening` is its first sentence; `comment` is the author's own text. */
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

/** Returns an empty list for an inactive account. */
export async function emailOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_user')
    .select('user_name')
    .where('id', '=', userId)
    .where('active', '=', true)
    .execute();
  return rows.map((row) => row.user_name);
}
