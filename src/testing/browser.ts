// Fixtures of the browser tests: a complete server for each test file, and pages signed in without the login screen.
import { test as base, expect, type Page } from '@playwright/test';
import { startSession } from '#features/people/auth/sessions/session.server.ts';
import { STORAGE } from '#features/people/auth/sessions/storage.ts';
import { startTestServer, type TestServer } from './test-server.server.ts';

type Fixtures = {
  server: TestServer;
  address: string;
  /** Signs the page in as a user before it opens anything. */
  signIn: (user: { id: number }, page?: Page) => Promise<void>;
};
type OpenServer = { file: string; server: TestServer; address: string };
type WorkerFixtures = { open: { current: OpenServer | null } };

export const test = base.extend<Fixtures, WorkerFixtures>({
  open: [
    async ({}, use) => {
      const open: WorkerFixtures['open'] = { current: null };
      await use(open);
      await open.current?.server.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ open }, use, { file }) => {
      if (open.current?.file !== file) {
        await open.current?.server.close();
        open.current = null;
        open.current = { file, ...(await startAtWork()) };
      }
      await use(open.current.server);
    },
    { timeout: 120_000 },
  ],
  address: async ({ server, open }, use) => use(open.current?.server === server ? open.current.address : ''),
  baseURL: async ({ address }, use) => use(address),
  signIn: async ({ page: own, server }, use) => {
    await use(async (user, page = own) => {
      const session = await startSession(server.db, server.services, user.id, 'browser test');
      const row = await server.db
        .selectFrom('app_user')
        .selectAll()
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow();
      const roles = await server.db.selectFrom('user_role').select('role').where('user_id', '=', user.id).execute();
      const stored = {
        [STORAGE.accessToken]: session.accessToken,
        [STORAGE.refreshToken]: session.refreshToken,
        [STORAGE.user]: JSON.stringify({
          id: row.id,
          userName: row.user_name,
          fullName: row.full_name,
          roles: roles.map(({ role }) => role),
          gpoTabHidden: row.gpo_tab_hidden,
          mustChangePassword: row.must_change_password,
        }),
      };
      await page.addInitScript((values) => {
        // Only once, so that a sign-out during the test lasts.
        if (sessionStorage.getItem('signed-in-by-test')) return;
        sessionStorage.setItem('signed-in-by-test', '1');
        for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
      }, stored);
    });
  },
});

async function startAtWork(): Promise<{ server: TestServer; address: string }> {
  const server = await startTestServer();
  await server.db.updateTable('company').set({ name: server.services.config.companyName }).execute();
  const address = await server.listen();
  server.services.config.publicUrl = address;
  await server.services.jobs.work();
  return { server, address };
}

export { expect };

/** Expects the page to be no wider than its window. Retries briefly, because a list redraws a moment after its place gets narrower. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  // This code is a string, because test files are checked without the browser's types.
  const over = () =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(over).toBeLessThanOrEqual(0);
}
