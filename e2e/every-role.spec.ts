// Opens every screen in one role, and in the others what their menu and Settings offer: either a screen opens and the server refuses none of its
// reads, or it says that it is not open, and whom to ask. A screen is open to whoever may make its reads, so the rest follows from the access of
// the calls, which src/app/every-call.test.ts tries in every role.
import type { Page } from '@playwright/test';
import type { Endpoint } from '#platform/api/endpoint.ts';
import { contract } from '#app/contract.ts';
import '#app/addons.web.ts';
import { adminScreensOf } from '#core/company/settings/admin-screens.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { ROLES, type Role } from '#platform/shared/roles.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { fullCompany, SIGNED_OUT } from '#testing/full-company.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { STUCK, walkScreens } from '#testing/walk-screens.ts';

test.describe.configure({ mode: 'parallel' });

const NOT_OPEN = "You don't have access to this screen";
/** It works beside sales, and some screens of both kinds are closed to it. */
const WALKED: Role = 'contractdept';

/** Roles that may make the same calls; the screens are the same to them. Every screen opens to system administrators (every-screen.spec.ts). */
const others = ROLES.filter((role) => role !== 'systemadmin');
const alike = Map.groupBy(others, (role) =>
  Object.values(contract)
    .flatMap((calls) => Object.values<Endpoint>(calls))
    .map(({ access }) => (typeof access === 'string' || access.includes(role) ? 'x' : '-'))
    .join(''),
);

/** Opens screens in a role: those that are open to it and those that are not. Whatever is neither fails the test. */
async function walkAs(
  role: Role,
  addresses: string[],
  { page, server, signIn }: { page: Page; server: TestServer; signIn: (user: { id: number }) => Promise<void> },
) {
  await signIn(await aUser(server.db, { roles: [role] }));
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(new URL(page.url()).pathname);
  });
  await page.goto(paths.settings);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  const seen = await walkScreens(page, addresses);
  const [closed = [], open = []] = [true, false].map((isClosed) =>
    seen.filter(({ heading }) => (heading === NOT_OPEN) === isClosed),
  );
  const explained = closed.filter(
    ({ text, buttons }) => /Ask (one of them|a system administrator)/.test(text) && !buttons,
  );
  expect(explained).toEqual(closed);
  const wrong = open.filter(
    ({ address, heading, text }) =>
      heading === STUCK ||
      refused.includes(address.split('?')[0] ?? '') ||
      text.includes('You do not have permission to do this.'),
  );
  expect(wrong).toEqual([]);
  const [openTo, closedTo] = [open, closed].map((screens) => screens.map(({ address }) => address));
  expect(openTo).toEqual(expect.arrayContaining(adminScreensOf({ roles: [role] }).map(({ to }) => to)));
  return { openTo, closedTo };
}

test(`every screen as ${WALKED}`, async ({ page, server, signIn }) => {
  // A fault costs a wait; the others are named, too.
  test.slow();
  const { records } = await fullCompany(server);
  const all = [...Object.values(paths), ...Object.values(records)].filter((address) => typeof address === 'string');
  const { closedTo } = await walkAs(
    WALKED,
    all.filter((address) => !SIGNED_OUT.includes(address)),
    { page, server, signIn },
  );
  expect(closedTo).toContain(paths.regions);
});

for (const [role, ...likewise] of alike.values())
  if (role && ![role, ...likewise].includes(WALKED))
    test(`what is offered to ${[role, ...likewise].join(' or ')}`, async ({ page, server, signIn }) => {
      const { records } = await fullCompany(server);
      const offered = adminScreensOf({ roles: [role] }).map(({ to }) => to);
      const boards = [records.publicBoard, records.internalBoard, records.facility].filter(
        (address) => address !== null,
      );
      await walkAs(role, [paths.home, paths.reports, ...boards, ...offered], { page, server, signIn });
    });
