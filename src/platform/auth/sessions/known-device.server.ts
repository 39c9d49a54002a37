// Marks a device on which a user has signed in before, so that guesses elsewhere do not lock the user out on it.
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Services } from '#platform/api/services.server.ts';
import { signingKey, verifyOurs } from './token-key.server.ts';

const AUDIENCE = 'device';
const LIFE = 365 * 86_400_000;

/** Returns a mark that is valid for this account only. A device that already has a mark keeps its id, so its count of failures continues. */
export function deviceMark(services: Services, userId: number, id: string = randomUUID()): Promise<string> {
  const now = services.clock.now();
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setSubject(String(userId))
    .setJti(id)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + LIFE))
    .sign(signingKey(services));
}

/** Returns the id of the device if this server issued the mark for this account within the last year, otherwise null. */
export async function knownDevice(services: Services, userId: number, mark: string): Promise<string | null> {
  if (mark === '') return null;
  const { payload } = await verifyOurs(services, mark, {
    audience: AUDIENCE,
    subject: String(userId),
    currentDate: services.clock.now(),
  }).catch(() => ({ payload: { jti: undefined } }));
  return payload.jti ?? null;
}
