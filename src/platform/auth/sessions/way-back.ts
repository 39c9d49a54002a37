// The page to open after a sign-in.
import { paths } from '#platform/shared/paths.ts';

/** The query that keeps the page to return to, on the screens of signing in. */
export const wayOf = (redirect: string | null): { redirect?: string } => (redirect ? { redirect } : {});

/** The page to return to after signing in: always a path of this application. */
export function wayBack(redirect: string | null): string {
  // Browsers drop tabs and line breaks from an address, so a text that looks like a path may name another site.
  if (redirect === null || !/^\/(?![/\\])/.test(redirect) || /[\t\n\r]/.test(redirect)) return paths.home;
  return redirect.startsWith(paths.login) ? paths.home : redirect;
}
