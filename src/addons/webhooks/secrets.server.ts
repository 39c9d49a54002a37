// Handles the secrets of endpoints, sealed in the database. During a rotation an endpoint has two.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { resealed, seal, SealBroken, unseal } from '#platform/outside/sealed.server.ts';

type Kept = { id: number; secret: string; old_secret: string; old_secret_until: string | null };

const purposeOf = (id: number) => `webhook secret ${id}`;

export function sealSecret({ config }: Pick<Services, 'config'>, id: number, secret: string): string {
  return seal(config, purposeOf(id), secret);
}

/** Returns whether the previous secret still signs. */
export function isRotating(
  { clock }: Pick<Services, 'clock'>,
  { old_secret, old_secret_until }: Omit<Kept, 'id'>,
): boolean {
  return old_secret !== '' && old_secret_until !== null && Date.parse(old_secret_until) > clock.now().getTime();
}

/** The secrets that sign now, newest first. Null if they were sealed under another TOKEN_SECRET. */
export function secretsOf(services: Pick<Services, 'config' | 'clock'>, stored: Kept): string[] | null {
  const sealed = isRotating(services, stored) ? [stored.secret, stored.old_secret] : [stored.secret];
  try {
    return sealed.map((text) => unseal(services.config, purposeOf(stored.id), text));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}

/** Reseals secrets that were sealed under the other TOKEN_SECRET. Returns the number of resealed secrets. */
export async function resealWebhooks(db: Db, { config }: Pick<Services, 'config'>): Promise<number> {
  let sealed = 0;
  for (const { id, ...stored } of await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'secret', 'old_secret'])
    .execute())
    for (const column of ['secret', 'old_secret'] as const) {
      const newSeal = resealed(config, purposeOf(id), stored[column]);
      if (newSeal === null) continue;
      const change = { [column]: newSeal };
      await db
        .updateTable('webhook_endpoint')
        .set(change)
        .where('id', '=', id)
        .where(column, '=', stored[column])
        .execute();
      sealed++;
    }
  return sealed;
}
