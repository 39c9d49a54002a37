// Creates a unique key for something new that has no id yet.

/** Returns 128 random bits as text. Works on pages without TLS, where browsers lack randomUUID. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
