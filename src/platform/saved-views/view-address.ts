// The content of a view: a list, and the query of its address. Nothing else of an address is stored, so that a view never leads elsewhere.
import { paths } from '#platform/shared/paths.ts';

const PARAMETER = /^[A-Za-z][\w-]{0,39}=[^#]*$/;
/** Parameters that a view does not store. */
const NOT_KEPT = ['page', 'printView'];

/**
 * Returns the query of a list as a view stores it, starting at its first page. Null for anything that is not a plain query, such as another address.
 */
export function viewQuery(address: string): string | null {
  const query = address.replace(/^\?/, '');
  if (query !== '' && !query.split('&').every((part) => PARAMETER.test(part))) return null;
  const remaining = [...new URLSearchParams(query)].filter(([name, value]) => !NOT_KEPT.includes(name) && value !== '');
  return new URLSearchParams([['page', '1'], ...remaining]).toString();
}

/** Returns the list at a path. Find Quote has two addresses. */
export function viewScreen(path: string): string {
  const screen = path.length > 1 ? path.replace(/\/$/, '') : path;
  return screen === paths.findQuotePublic ? paths.findQuoteInternal : screen;
}
