// One-time codes of an authenticator app: TOTP (RFC 6238) with the settings that every app supports: SHA-1, six digits, 30 seconds.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Clocks may differ by one step in either direction. */
const DRIFT = 1;
/** As long as a SHA-1 digest (RFC 4226, 4). */
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a new secret in the form that apps accept: base32 without padding. */
export function newSecret(): string {
  return base32(randomBytes(SECRET_BYTES));
}

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** Returns the code of a time step. */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Returns the time step of a typed code if it is later than `after`, or null for a wrong or used code. */
export function codeStep(secret: string, code: string, now: Date, after: number): number | null {
  const key = unbase32(secret);
  const typedCode = Buffer.from(
    code
      .replaceAll(/\s/g, '')
      .padEnd(DIGITS)
      .slice(0, DIGITS + 1),
  );
  const current = stepAt(now);
  let result: number | null = null;
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    const expected = Buffer.from(codeAt(key, step));
    if (typedCode.length === expected.length && timingSafeEqual(typedCode, expected) && step > after) result = step;
  }
  return result;
}

/** Returns the address that the QR code contains. */
export function otpauth(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function unbase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
