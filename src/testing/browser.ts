// Fixtures of the browser tests: a complete server with its company, and pages signed in without the login screen.
import { test as base, expect, type Page } from '@playwright/test';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { STORAGE } from '#platform/auth/sessions/storage.ts';
import type { TestServer } from './test-server.server.ts';

type Fixtures = {
  /**
   * The tests of a worker share one company, whose server and files stay warm. They make their own records, and put back the settings
   * that they change. Files that look at all records of a kind, or leave settings changed, name another: `test.use({ company: 'houston' })`.
   */
  company: string;
  /** What the content policy forbade the pages. Anything left in it fails the test. */
  forbidden: string[];
  server: TestServer;
  address: string;
  /** Signs the page in as a user before it opens anything. */
  signIn: (user: { id: number }, page?: Page) => Promise<void>;
};
type OpenServer = { server: TestServer; address: string };
/** The servers of a worker, by the name of their company. */
type WorkerFixtures = { open: Map<string, OpenServer> };

const SHARED = 'shared';
/** `SLOW_BROWSER=6` makes the browser's processor that many times slower, which shows races that a busy machine would. */
const SLOWER = Number(process.env['SLOW_BROWSER'] ?? 1);

export const test = base.extend<Fixtures, WorkerFixtures>({
  company: [SHARED, { option: true }],
  open: [
    async ({}, use) => {
      const open = new Map<string, OpenServer>();
      await use(open);
      for (const { server } of open.values()) await server.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ open, company }, use) => {
      for (const [other, { server }] of open) {
        if (other === SHARED || other === company) continue;
        open.delete(other);
        await server.close();
      }
      const result = open.get(company) ?? (await startAtWork());
      open.set(company, result);
      await use(result.server);
    },
    { timeout: 120_000 },
  ],
  address: async ({ server, open }, use) => {
    const match = [...open.values()].find((candidate) => candidate.server === server);
    await use(match?.address ?? '');
  },
  forbidden: async ({}, use) => {
    const forbidden: string[] = [];
    await use(forbidden);
    expect(forbidden).toEqual([]);
  },
  context: async ({ context, forbidden }, use) => {
    // Zod tries whether it may compile its schemas, and goes on without.
    const note = (what: string) => void (what.startsWith('script-src eval ') || forbidden.push(what));
    await context.exposeFunction('contentPolicyForbids', note);
    await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      contentPolicyForbids(event.violatedDirective + ' ' + event.blockedURI + ' at ' + location.pathname))`);
    await use(context);
    // By the answer, what the pages reported before has arrived.
    const flush = 'new Promise((done) => (onmessage = done, postMessage(0)))';
    for (const page of context.pages()) await page.evaluate(flush).catch(() => {});
  },
  page: async ({ page }, use) => {
    if (SLOWER > 1) {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    }
    const route = page.route.bind(page);
    page.route = async (...rule) => {
      const disposable = await route(...rule);
      await firstIntercepted(page, route);
      return disposable;
    };
    await use(page);
  },
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
        const mark = `signed-in-by-test ${Object.values(values).join()}`;
        if (sessionStorage.getItem(mark)) return;
        sessionStorage.setItem(mark, '1');
        for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
      }, stored);
    });
  },
});

async function startAtWork(): Promise<OpenServer> {
  // Only the workers need the program: the process that lists the tests does without it.
  const { startTestServer } = await import('./test-server.server.ts');
  const server = await startTestServer();
  await server.db.updateTable('company').set({ name: server.services.config.companyName }).execute();
  const address = await server.listen();
  server.services.config.publicUrl = address;
  await server.services.jobs.work();
  return { server, address };
}

/**
 * Waits until a route reaches the page. Chromium confirms it first and hands it to the page's loader a moment later, so that the next request
 * could still pass it unseen.
 */
async function firstIntercepted(page: Page, route: Page['route']): Promise<void> {
  if (!page.url().startsWith('http')) return;
  const probe = '/first-intercepted';
  await route(`**${probe}`, (request) => request.fulfill({ status: 204 }));
  const status = () => page.evaluate<number>(`fetch('${probe}').then(({ status }) => status)`);
  await expect.poll(status, { intervals: [10] }).toBe(204);
  await page.unroute(`**${probe}`);
}

export { expect };

/** Expects the page to be no wider than its window. Retries briefly, because a list redraws a moment after its place gets narrower. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  // This code is a string, because test files are checked without the browser's types.
  const over = () =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(over).toBeLessThanOrEqual(0);
}
