// Opens every screen in every role: either it opens and the server refuses none of its reads, or it says that it is not open, and whom to ask.
import type { Endpoint } from '#api/endpoint.ts';
import { contract } from '#app/contract.ts';
import { adminScreensOf } from '#features/company/settings/admin-screens.ts';
import { paths } from '#shared/paths.ts';
import { ROLES } from '#shared/roles.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { fullCompany } from '#testing/full-company.server.ts';

test.describe.configure({ mode: 'parallel' });

const NOT_OPEN = 'You do not have access to this screen';
const STUCK = 'still loading';
const SIGNED_OUT: string[] = [paths.login, paths.resetPassword];

type Seen = { address: string; heading: string; text: string; buttons: number };

/**
 * Goes from screen to screen within the program, which takes a tenth of the time of loading it again, and tells what each shows once
 * it has settled. The code is a string, because test files are checked without the browser's types.
 */
const walkOf = (addresses: string[]) => `(async () => {
  const busy = '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';
  const seen = [];
  for (const address of ${JSON.stringify(addresses)}) {
    const router = window.__TSR_ROUTER__;
    await router.navigate({ href: address });
    const main = document.querySelector('main');
    // A record that is not there has no title, only the sentence that says so.
    const heading = () => main.querySelector('h1') ?? main.querySelector('[role=alert]');
    const isSettled = () => router.state.status === 'idle' && heading() && !main.querySelector(busy);
    const until = Date.now() + 15000;
    do await new Promise((frame) => requestAnimationFrame(frame));
    while (!isSettled() && Date.now() < until);
    seen.push({
      address,
      heading: isSettled() ? heading().textContent : ${JSON.stringify(STUCK)},
      text: main.textContent,
      buttons: main.querySelectorAll('button').length,
    });
  }
  return seen;
})()`;

/** Roles that may make the same calls; the screens are the same to them. Every screen opens to system administrators (every-screen.spec.ts). */
const others = ROLES.filter((role) => role !== 'systemadmin');
const alike = Map.groupBy(others, (role) =>
  Object.values(contract)
    .flatMap((calls) => Object.values<Endpoint>(calls))
    .map(({ access }) => (typeof access === 'string' || access.includes(role) ? 'x' : '-'))
    .join(''),
);

for (const roles of alike.values())
  test(`every screen as ${roles.join(' or ')}`, async ({ page, server, signIn }) => {
    const { records } = await fullCompany(server);
    const user = await aUser(server.db, { roles: roles.slice(0, 1) });
    await signIn(user);
    await page.goto(paths.settings);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(new URL(page.url()).pathname);
    });
    const all = [...Object.values(paths), ...Object.values(records)].filter((address) => typeof address === 'string');
    const seen: Seen[] = await page.evaluate(walkOf(all.filter((address) => !SIGNED_OUT.includes(address))));

    const [closed, open] = [true, false].map((is) => seen.filter(({ heading }) => (heading === NOT_OPEN) === is));
    const told = closed?.filter(
      ({ text, buttons }) => /Ask (one of them|a system administrator)/.test(text) && !buttons,
    );
    expect(told).toEqual(closed);
    const wrong = open?.filter(
      ({ address, heading, text }) =>
        heading === STUCK || refused.includes(address.split('?')[0] ?? '') || text.includes('You may not do this.'),
    );
    expect(wrong).toEqual([]);
    const offered = adminScreensOf({ roles: roles.slice(0, 1) }).map(({ to }) => to);
    expect(open?.map(({ address }) => address)).toEqual(expect.arrayContaining(offered));
    if (roles.includes('contractdept')) expect(closed?.map(({ address }) => address)).toContain(paths.regions);
  });
