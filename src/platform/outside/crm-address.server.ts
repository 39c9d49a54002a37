// Decides which addresses may be a CRM's.
import { type Reach, wrongAddress } from './reachable-address.server.ts';

/** Whether calls may go to an address: only host and port, in reach of this server. */
export function isCrmAddress(text: string, reach: Reach): boolean {
  if (wrongAddress(text, reach)) return false;
  const url = new URL(text);
  return url.pathname === '/' && !url.search && !url.hash;
}
