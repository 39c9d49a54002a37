// Decides which CRM addresses the server may call.

export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether calls may go to an address: only host and port, by https, or by http on this computer if `loopback` allows it. */
export function isCrmAddress(text: string, loopback: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isPlain = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain) return false;
  if (LOOPBACK.has(url.hostname)) return loopback && (url.protocol === 'http:' || url.protocol === 'https:');
  return url.protocol === 'https:';
}
