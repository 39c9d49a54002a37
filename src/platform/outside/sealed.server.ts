// Seals secrets of other systems for the database: AES-256-GCM with a key derived from TOKEN_SECRET (docs/decisions/0044).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const FORM = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Thrown by `unseal` for a text that was altered, or sealed with another TOKEN_SECRET or for another purpose. */
export class SealBroken extends Error {
  override name = 'SealBroken';
}

/** The secret that seals and signs, and a second one that only unseals and verifies during a change of secrets. */
export type TokenSecrets = { tokenSecret: string; otherTokenSecret?: string | undefined };

export const acceptedSecrets = ({ tokenSecret, otherTokenSecret }: TokenSecrets): [string, ...string[]] =>
  otherTokenSecret === undefined ? [tokenSecret] : [tokenSecret, otherTokenSecret];

/** Seals a text. `purpose` names its use, so that the sealed text cannot be moved to another place. */
export function seal({ tokenSecret }: TokenSecrets, purpose: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(tokenSecret), iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${FORM}.${sealed.toString('base64url')}`;
}

export function unseal(secrets: TokenSecrets, purpose: string, sealed: string): string {
  const [current, ...others] = acceptedSecrets(secrets);
  try {
    return openWith(current, purpose, sealed);
  } catch (error) {
    for (const other of others) if (opensWith(other, purpose, sealed)) return openWith(other, purpose, sealed);
    throw error;
  }
}

/** Seals a text again that the other secret sealed. Returns null if the current secret sealed it, or if neither opens it. */
export function resealed(secrets: TokenSecrets, purpose: string, sealed: string): string | null {
  const [current, ...others] = acceptedSecrets(secrets);
  if (opensWith(current, purpose, sealed)) return null;
  const other = others.find((candidate) => opensWith(candidate, purpose, sealed));
  return other === undefined ? null : seal(secrets, purpose, openWith(other, purpose, sealed));
}

function opensWith(tokenSecret: string, purpose: string, sealed: string): boolean {
  try {
    openWith(tokenSecret, purpose, sealed);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

function openWith(tokenSecret: string, purpose: string, sealed: string): string {
  const [form, body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  if (form !== FORM || bytes.length < IV_BYTES + TAG_BYTES) throw new SealBroken('no seal');
  try {
    const decipher = createDecipheriv('aes-256-gcm', sealingKey(tokenSecret), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new SealBroken('the seal does not open', { cause: error });
  }
}

function sealingKey(tokenSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenSecret, '', 'quoteboard sealed secrets', 32));
}
