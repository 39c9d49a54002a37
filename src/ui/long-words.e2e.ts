// Names without a space, as long as a field allows, on the screens that show them: no page scrolls sideways.
import { expect, test } from '#testing/browser.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';

const LONG = 'Krankenhausverwaltungsgesellschaft'.repeat(5).slice(0, 150);

test('no screen scrolls sideways at long names without spaces', async ({ page, server, signIn }) => {
  const { db } = server;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: LONG });
  const { facility, territory, region, rep } = await aSalesOffice(db);
  await db
    .updateTable('facility')
    .set({ name: LONG, ship_to_line1: LONG, ship_to_city: LONG.slice(0, 100), bill_to_line1: LONG })
    .where('id', '=', facility.id)
    .execute();
  await db
    .insertInto('contact')
    .values({ facility_id: facility.id, name: LONG, title: LONG, email: `${LONG}@example.com` })
    .execute();
  await db.updateTable('territory').set({ name: LONG }).where('id', '=', territory.id).execute();
  await db.updateTable('region').set({ name: LONG }).where('id', '=', region.id).execute();
  await db.updateTable('app_user').set({ full_name: LONG }).where('id', '=', rep.id).execute();
  const quote = await aPricedQuote(db, { ownerId: rep.id, salesRepId: rep.id, facility, statusId: 'Editing' });
  await db
    .updateTable('quote')
    .set({
      facility_name: LONG,
      contact_name: LONG,
      contact_email: `${LONG}@example.com`,
      customer_reference: LONG.slice(0, 100),
    })
    .where('id', '=', quote.id)
    .execute();
  await signIn(admin);
  const wide: string[] = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of [
      '/',
      '/int-quotes?page=1',
      '/facilities',
      `/facilities/${facility.id}`,
      `/facilities/${facility.id}?tab=prices`,
      `/facilities/${facility.id}?tab=quotes`,
      `/admin/territories/${territory.id}`,
      '/admin/regions',
      '/admin/users',
      `/admin/userEdit/${rep.id}`,
      `/int-quote-board/${quote.id}`,
    ]) {
      await page.goto(path);
      await expect(page.locator('#main [aria-busy="true"], #main .mantine-Skeleton-root')).toHaveCount(0);
      // What a list is too wide by is seen, and given to a scroll bar of its own, before the next picture of the page.
      const over = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            requestAnimationFrame(() =>
              requestAnimationFrame(() => resolve(document.documentElement.scrollWidth - window.innerWidth)),
            );
          }),
      );
      if (over > 0) wide.push(`${path} at ${width}: ${over} px too wide`);
    }
  }
  expect(wide).toEqual([]);
});
