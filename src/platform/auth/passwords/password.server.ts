// Hashes passwords for storage as argon2id in PHC strings. Temporary passwords are random, so a plain digest is enough for them.
import { argon2, createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

// 19 MiB, two passes, one lane: OWASP's minimum for argon2id.
const COST = { memory: 19_456, passes: 2 };
const LANES = 1;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Returns a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string, { memory, passes } = COST): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, { salt, memory, passes, lanes: LANES, length: 32 });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${LANES}$${base64(salt)}$${base64(hash)}`;
}

/** Returns whether the password matches the stored string. It takes the same time without a stored string, so that timing reveals no accounts. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const [, memory, passes, lanes, salt, hash] = PHC.exec(stored ?? NOBODYS) ?? [];
  if (!salt || !hash) throw new Error('A stored password is not an argon2id PHC string.');
  const expected = Buffer.from(hash, 'base64');
  const input = await derive(password, {
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    length: expected.length,
  });
  return timingSafeEqual(input, expected) && stored !== null;
}

const NOBODYS = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${LANES}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(32))}`;

// Without letters and digits that are easy to confuse on a screen.
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Returns sixteen random letters in groups of four. Its 79 bits are too many to try within its 30 minutes, so storing a digest is safe enough. */
export function newTemporaryPassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** Returns the digest under which temporary passwords and refresh tokens are stored. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(a)), Buffer.from(digestOf(b)));
}

type Parameters = { salt: Buffer; memory: number; passes: number; lanes: number; length: number };

function derive(password: string, { salt, memory, passes, lanes, length }: Parameters): Promise<Buffer> {
  // Normalized, because two keyboards may send the same letter in two ways.
  const message = password.normalize('NFKC');
  return argon2Async('argon2id', { message, nonce: salt, memory, passes, parallelism: lanes, tagLength: length });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}
