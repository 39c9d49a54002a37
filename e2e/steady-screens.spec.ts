// Opens every screen with a server that answers slowly, each call after its own time: nothing moves after the first paint.
import { sql } from 'kysely';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';
import { addressesOf, fullCompany } from '#testing/full-company.server.ts';
import { answerSlowly, MAX_SHIFT, type Shifts, shiftsOf, shiftsOfLoad } from '#testing/shifts.ts';

test.describe.configure({ mode: 'parallel' });

const WINDOWS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const tooMuch = (all: Shifts[]) => all.filter(({ score }) => score > MAX_SHIFT);

for (const [name, size] of Object.entries(WINDOWS))
  test(`no screen moves after its first paint: ${name}`, async ({ page, server, signIn }) => {
    test.slow();
    const company = await fullCompany(server);
    await page.setViewportSize(size);
    await signIn(company.admin);
    await answerSlowly(page);
    await page.goto(paths.settings);
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    // A customer's page replaces the program by a page of its own.
    const addresses = addressesOf(company).filter((address) => !address.startsWith('/quote-doc/'));
    expect(tooMuch(await shiftsOf(page, addresses))).toEqual([]);
  });

test('the home screen of a manager does not move when the approvals arrive', async ({ page, server, signIn }) => {
  const { db } = server;
  const manager = await aUser(db, { roles: ['salesadmin'] });
  const rep = await aUser(db);
  for (let n = 0; n < 6; n++) {
    const quote = await aQuote(db, { ownerId: rep.id, statusId: 'Processing', itemNumbers: ['STEADY'] });
    await anApprovalRequest(db, { quoteId: quote.id, requestedBy: rep.id, roles: ['salesadmin'] });
  }
  await signIn(manager);
  await answerSlowly(page);
  for (const size of Object.values(WINDOWS)) {
    await page.setViewportSize(size);
    await page.goto(paths.findRep);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const all = await shiftsOf(page, [paths.home, paths.findQuoteInternal, paths.home]);
    await expect(page.getByRole('heading', { name: 'Approve Discount' })).toBeVisible();
    expect(tooMuch(all)).toEqual([]);
  }
});

test('a screen that is loaded whole does not move either', async ({ page, server, signIn }) => {
  const { db } = server;
  const rep = await aUser(db, { roles: ['csrep'] });
  const { id } = await aPricedQuote(db, { ownerId: rep.id, statusId: 'Processing', lines: [{}, {}, {}, {}, {}, {}] });
  await sql`update quote_item set price_source = 'Manual', price_reason = 'A reason that takes a line of its own, ' || line_no
    where quote_id = ${id}`.execute(db);
  await signIn(rep);
  await answerSlowly(page);
  for (const size of Object.values(WINDOWS)) {
    await page.setViewportSize(size);
    const all: Shifts[] = [];
    for (const address of [
      paths.home,
      paths.findQuoteInternal,
      paths.internalBoard(id),
      paths.itemSearch,
      paths.reports,
    ])
      all.push(await shiftsOfLoad(page, address));
    expect(tooMuch(all)).toEqual([]);
  }
});
