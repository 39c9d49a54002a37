// Decides which addresses are allowed for a CRM.
import { type Reach, wrongAddress } from './reachable-address.server.ts';

/** Returns whether calls may go to an address: only host and port, and within reach of this server. */
export function isCrmAddress(text: string, reach: Reach): boolean {
  if (wrongAddress(text, reach)) return false;
  const url = new URL(text);
  return url.pathname === '/' && !url.search && !url.hash;
}
