// The secrets of endpoints: sealed in the database, two of them while one takes over from the other.
import type { Services } from '#api/services.server.ts';
import { seal, SealBroken, unseal } from '#outside/sealed.server.ts';

type Kept = { id: number; secret: string; old_secret: string; old_secret_until: string | null };

const purposeOf = (id: number) => `webhook secret ${id}`;

export function sealSecret({ config }: Pick<Services, 'config'>, id: number, secret: string): string {
  return seal(config.tokenSecret, purposeOf(id), secret);
}

/** Whether the secret before still signs. */
export function isRotating(
  { clock }: Pick<Services, 'clock'>,
  { old_secret, old_secret_until }: Omit<Kept, 'id'>,
): boolean {
  return old_secret !== '' && old_secret_until !== null && Date.parse(old_secret_until) > clock.now().getTime();
}

/** The secrets that sign now, the newest first; null when they were sealed under another TOKEN_SECRET. */
export function secretsOf(services: Pick<Services, 'config' | 'clock'>, kept: Kept): string[] | null {
  const sealed = isRotating(services, kept) ? [kept.secret, kept.old_secret] : [kept.secret];
  try {
    return sealed.map((text) => unseal(services.config.tokenSecret, purposeOf(kept.id), text));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
