// Where a sign-in leads back to.
import { paths } from '#shared/paths.ts';

/** The way back after signing in: a path of this application, nothing else. */
export function wayBack(redirect: string | null): string {
  // Browsers drop tabs and line breaks from an address: what looks like a path may name another site.
  if (redirect === null || !/^\/(?![/\\])/.test(redirect) || /[\t\n\r]/.test(redirect)) return paths.home;
  return redirect.startsWith(paths.login) ? paths.home : redirect;
}
