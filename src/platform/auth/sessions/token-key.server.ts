// The keys of our own tokens: one that signs, and others that are still accepted during a change of secrets (docs/decisions/0044).
import { createSecretKey, type KeyObject } from 'node:crypto';
import { type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose';
import type { Services } from '#platform/api/services.server.ts';
import { acceptedSecrets } from '#platform/outside/sealed.server.ts';

const hmacKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

export const signingKey = ({ config }: Pick<Services, 'config'>): KeyObject => hmacKey(config.tokenSecret);

/** Throws if neither secret has signed the token, or if it has expired. */
export async function verifyOurs(
  { config }: Pick<Services, 'config'>,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  const [current, ...others] = acceptedSecrets(config);
  const verify = (secret: string) => jwtVerify(token, hmacKey(secret), { ...options, algorithms: ['HS256'] });
  let verified = verify(current);
  for (const other of others) verified = verified.catch(() => verify(other));
  return verified;
}
