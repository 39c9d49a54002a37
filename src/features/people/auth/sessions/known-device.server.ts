// The mark of a device on which somebody signed in before: guesses made elsewhere do not lock that person out there.
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Services } from '#api/services.server.ts';
import { signingKey, verifyOurs } from './token-key.server.ts';

const AUDIENCE = 'device';
const LIFE = 365 * 86_400_000;

/** A mark for this account alone; a device that has one keeps its id, so that its own failures go on counting. */
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

/** The id of the device, when the mark was made by this server for this account and is not a year old; else null. */
export async function knownDevice(services: Services, userId: number, mark: string): Promise<string | null> {
  if (mark === '') return null;
  const { payload } = await verifyOurs(services, mark, {
    audience: AUDIENCE,
    subject: String(userId),
    currentDate: services.clock.now(),
  }).catch(() => ({ payload: { jti: undefined } }));
  return payload.jti ?? null;
}
