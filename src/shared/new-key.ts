// A name for something new that has no id yet, such that no two are the same.

/** 128 random bits as text. Also where a browser has no randomUUID: on a page without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
