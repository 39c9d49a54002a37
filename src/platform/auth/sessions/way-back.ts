// Determines which page opens after a sign-in.
import { paths } from '#platform/shared/paths.ts';

/** Returns the query with which the sign-in pages keep the page to return to. */
export const wayOf = (redirect: string | null): { redirect?: string } => (redirect ? { redirect } : {});

/** Returns the page to open after signing in: always a path of this application. */
export function wayBack(redirect: string | null): string {
  // Browsers remove tabs and line breaks from an address, so a text that looks like a path may lead to another site.
  if (redirect === null || !/^\/(?![/\\])/.test(redirect) || /[\t\n\r]/.test(redirect)) return paths.home;
  return redirect.startsWith(paths.login) ? paths.home : redirect;
}
