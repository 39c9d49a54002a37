// Which addresses of a CRM may be called.

export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether calls may go to an address: https, or http on this computer where that is allowed; nothing but a host and a port. */
export function isCrmAddress(text: string, loopback: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isPlain = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain) return false;
  if (LOOPBACK.has(url.hostname)) return loopback && (url.protocol === 'http:' || url.protocol === 'https:');
  return url.protocol === 'https:';
}
