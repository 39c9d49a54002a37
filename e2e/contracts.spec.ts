// Tests a year with a contract, using only the screens: three imported files, a letter, a tier, new prices, and the renewal.
// docs/contracts.md describes it, and this file takes the pictures.
import type { Page } from '@playwright/test';
import { Contract } from '#core/prices/contracts/contracts.contract.ts';
import { Eligibility } from '#addons/eligibility/eligibility.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { expect, test } from '#testing/browser.ts';
import { picture } from '#testing/picture.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aMembership } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';

const DRESSINGS = [
  ['WND-101', 'Foam dressing, 4 x 4 in', 41],
  ['WND-102', 'Foam dressing with border, 6 x 6 in', 58.4],
  ['WND-110', 'Hydrocolloid dressing, thin', 36.75],
  ['WND-114', 'Alginate dressing, rope', 62.1],
  ['WND-120', 'Gauze sponge, sterile, 12 ply', 18.9],
  ['WND-131', 'Transparent film dressing', 27.35],
  ['WND-140', 'Silicone tape, 2 in', 22.5],
  ['WND-152', 'Negative pressure canister', 184],
] as const;

/** Uploads a file and checks it; the screen then shows what it would change. */
async function check(page: Page, kind: string, rows: string[]) {
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  const file = { name: `${kind.toLowerCase()}.csv`, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  const gpos = wizard.getByRole('checkbox', { name: 'Create missing GPOs' });
  await expect(wizard.getByRole('button', { name: 'Check' })).toBeEnabled();
  if (kind === 'Contracts') await gpos.check();
  await wizard.getByRole('button', { name: 'Check' }).click();
  await expect(wizard.getByLabel('Figures')).toBeVisible();
  return wizard;
}

async function applied(page: Page): Promise<void> {
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await wizard.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();
}

test('a contract is imported, maintained for a year and renewed', async ({ page, server, signIn }) => {
  test.slow();
  const { db } = server;
  for (const [number, description] of DRESSINGS)
    await anItem(db, { number, description, units: { EA: 1, BX: 10, CS: 100 } });
  const system = await aFacility(db, { name: 'Bayview Health System', acctNo: '100100' });
  for (const [name, acctNo] of [
    ['Bayview North Hospital', '100101'],
    ['Bayview South Hospital', '100102'],
    ['Bayview Outlet Clinic', '100103'],
  ] as const)
    await aFacility(db, { name, acctNo, parentId: system.id });
  await aFacility(db, { name: 'Lakeside Regional Hospital', acctNo: '100200' });
  await aFacility(db, { name: 'Harbor Surgery Center', acctNo: '100300' });
  const analyst = await aUser(db, { roles: ['contractdept'], fullName: 'Connie Contract' });
  await signIn(analyst);
  await page.setViewportSize({ width: 1200, height: 760 });

  await page.goto(`${paths.contractImport}?kind=contracts`);
  const today = (await server.ok(Contract.PopulateContractEdit, {}, { as: analyst })).contract.from;
  const day = (days: number) => formatDate(addDays(today, days));
  const [first, last] = [day(-200), day(60)];
  const tier = (
    number: string,
    from: string,
    to: string,
    before: string,
    no: number,
    name: string,
    requirement: string,
    loc: string,
  ) =>
    `${number},Northern Buyers,Advanced wound care,Wound care,${from},${to},${before},Active,${no},${name},${requirement},${loc}`;
  const CONTRACT_HEAD =
    'Contract,GPO,Title,Category,Effective Date,Expiration Date,Predecessor,Contract State,Tier,Tier Name,Requirement,Needs LOC';
  await check(page, 'Contracts', [
    CONTRACT_HEAD,
    tier('NB-2026', first, last, '', 1, 'Access', '', 'no'),
    tier('NB-2026', first, last, '', 2, 'Committed', '85% of wound care', 'yes'),
  ]);
  await applied(page);

  // Imports the prices of both tiers, then the roster.
  const PRICE_HEAD = 'Item,UOM,Tier,Price,From';
  await page.goto(`${paths.contractImport}?kind=contract-prices&contract=NB-2026`);
  const priceOf = (list: number, no: number) => (list * (no === 1 ? 1 : 0.93)).toFixed(2);
  let wizard = await check(page, 'Contract prices', [
    PRICE_HEAD,
    ...DRESSINGS.flatMap(([number, , price]) =>
      [1, 2].map((no) => `${number},BX,${no},${priceOf(price, no)},${first}`),
    ),
  ]);
  await expect(wizard.getByLabel('Figures')).toContainText('New16');
  await applied(page);
  await page.goto(`${paths.contractImport}?kind=rosters&contract=NB-2026`);
  wizard = await check(page, 'Rosters', [
    'Account,Name,City,State,ZIP,Tier,From,Includes Children',
    `100100,Bayview Health System,Chicago,IL,60601,1,${first},yes`,
    `,Lakeside Regional Hosp.,Chicago,IL,60601,1,${first},`,
    `100300,Harbor Surgery Center,Chicago,IL,60601,1,${first},`,
  ]);
  await wizard.getByRole('button', { name: /^Accept line 3:/ }).click();
  await expect(wizard.getByRole('region', { name: 'Held' }).getByRole('status')).toContainText('1 accepted');
  await applied(page);

  // Excludes one child facility.
  await page.goto(`${paths.contracts}?keyword=NB-2026`);
  await page.getByRole('link', { name: 'NB-2026', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'NB-2026' })).toBeVisible();
  await picture(page, 'contracts/contract');
  const address = page.url().replace(/\?.*/, '');
  await page.goto(`${address}?tab=roster`);
  await page.getByRole('button', { name: 'Add facility' }).click();
  await page.getByRole('dialog').getByLabel('Facility').fill('outlet');
  await page.getByRole('option', { name: /Bayview Outlet Clinic/ }).click();
  await page.getByLabel('Excluded').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const roster = page.getByRole('table', { name: 'Roster' });
  await expect(roster.getByRole('row', { name: /Bayview Outlet Clinic/ })).toContainText('Excluded');

  // Harbor commits: it signs its letter, the desk approves it, and Harbor's tier changes from a given day.
  await page.goto(`${address}?tab=letters`);
  await page.getByRole('button', { name: 'New letter' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Facility/)
    .fill('harbor');
  await page.getByRole('option', { name: /Harbor Surgery Center/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const letter = page.getByRole('dialog', { name: 'Letter of Harbor Surgery Center' });
  const step = async (state: string, more: () => Promise<void> = async () => {}) => {
    await page.getByRole('button', { name: 'Details of the letter of Harbor Surgery Center' }).click();
    await letter.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: state }).click();
    await more();
    await letter.getByRole('button', { name: 'Save' }).click();
    await expect(letter).toHaveCount(0);
  };
  await step('Signed', async () => {
    await letter.getByLabel('Signer').fill('Pat Doe');
    await letter.getByLabel('Signed on').fill(day(-1));
    await letter.getByLabel('Signed on').blur();
    await picture(page, 'contracts/letter');
  });
  await step('Approved');
  const letters = page.getByRole('table', { name: 'Letters of commitment' });
  await expect(letters.getByRole('row', { name: /Harbor/ })).toContainText('Approved');
  await page.goto(`${address}?tab=roster`);
  await page.getByRole('button', { name: 'Edit Harbor Surgery Center' }).click();
  const row = page.getByRole('dialog', { name: 'Harbor Surgery Center' });
  await row.getByRole('combobox', { name: 'Tier' }).click();
  await page.getByRole('option', { name: '2. Committed' }).click();
  await row.getByLabel('Change from').fill(day(1));
  await row.getByLabel('Change from').blur();
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(roster.getByRole('row', { name: /Harbor/ })).toContainText(`1. Access`);
  await expect(roster.getByRole('row', { name: /Harbor/ })).toContainText(day(0));
  await page.getByRole('textbox', { name: 'On the day' }).fill(day(1));
  await page.getByRole('textbox', { name: 'On the day' }).blur();
  await expect(roster.getByRole('row', { name: /Harbor/ })).toContainText('2. Committed');
  await expect(roster.getByRole('row', { name: /Harbor/ })).toContainText('Approved');
  await picture(page, 'contracts/roster');

  // Lakeside qualifies for the better tier. Its quote asks for that tier, and the desk reads what each decision means.
  const lakeside = await db
    .selectFrom('facility')
    .select('id')
    .where('acct_no', '=', '100200')
    .executeTakeFirstOrThrow();
  const { id: gpoId } = await db
    .selectFrom('gpo')
    .select('id')
    .where('name', '=', 'Northern Buyers')
    .executeTakeFirstOrThrow();
  await aMembership(db, { facilityId: lakeside.id, gpoId });
  const items = await db
    .selectFrom('item')
    .select('id')
    .where('item_number', 'like', 'WND-%')
    .orderBy('item_number')
    .limit(5)
    .execute();
  const inside = await aUser(db, { roles: ['insiderep'], fullName: 'Iris Inside' });
  const created = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: lakeside.id },
      items: items.map((item, index) => ({ itemId: item.id, qty: 20 * (index + 1), unit: 'BX' })),
    },
    { as: inside },
  );
  const wanted = await server.ok(Eligibility.Options, { quoteId: created.quote.id }, { as: inside });
  const better = wanted.options.find((option) => option.kind === 'OtherTier');
  if (!better) throw new Error('the better tier is not offered');
  const request = await server.ok(
    Eligibility.Request,
    {
      quoteId: created.quote.id,
      version: created.quote.version,
      lineIds: better.lineIds,
      contractId: better.contract.id,
      tierId: better.tier.id,
      wantedFrom: today,
      note: 'They signed for 85% of wound care in the spring.',
    },
    { as: inside },
  );
  await page.goto(paths.eligibilityRequest(request.id));
  await expect(page.getByRole('table', { name: 'Price impact' })).toBeVisible();
  await page.getByRole('button', { name: 'Start review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start review' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await picture(page, 'contracts/eligibility');

  // Imports new prices in the middle of the year: most pass, one is held, one is in cases.
  await page.goto(`${address}?tab=lines`);
  await page.getByRole('link', { name: 'Import from a file' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'mid-year prices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        PRICE_HEAD,
        ...DRESSINGS.slice(0, 5).map(([number, , price]) => `${number},BX,1,${(price * 1.02).toFixed(2)},${day(10)}`),
        `WND-131,BX,1,31.90,${day(10)}`,
        `WND-140,CS of 10 BX,1,229.00,${day(10)}`,
      ].join('\n'),
    ),
  });
  wizard = page.getByRole('region', { name: 'Import', exact: true });
  await expect(wizard.getByRole('textbox', { name: 'Contract number' })).toHaveValue('NB-2026');
  await wizard.getByRole('combobox', { name: 'Rows in another unit than the line' }).click();
  await page.getByRole('option', { name: 'Decide row by row' }).click();
  await wizard.getByRole('button', { name: 'Check' }).click();
  await wizard.getByRole('button', { name: /^Accept line 7:/ }).click();
  await wizard.getByRole('button', { name: /^Convert line 8:/ }).click();
  await expect(wizard.getByRole('region', { name: 'Held' }).getByRole('status')).toContainText('2 accepted');
  await picture(page, 'contracts/import');
  await applied(page);
  await page.goto(`${address}?tab=lines`);
  await expect(page.getByRole('row', { name: /WND-140/ })).toContainText(`$22.90 from ${day(10)}`);
  await expect(page.getByRole('row', { name: /WND-131/ })).toContainText(`$31.90 from ${day(10)}`);
  await picture(page, 'contracts/lines');

  // Within seconds the list shows which quotes the new prices affect, and by how much.
  const risks = page.getByRole('table', { name: 'Quotes at risk' });
  await expect(async () => {
    await page.goto(paths.contractRisks);
    await expect(risks.getByRole('row', { name: /Lakeside/ })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await picture(page, 'contracts/risks');

  // The renewal names its predecessor and replaces it on the renewal's first day.
  const [renewed, until] = [day(30), day(760)];
  await page.goto(`${paths.contractImport}?kind=contracts`);
  await check(page, 'Contracts', [
    CONTRACT_HEAD,
    tier('NB-2028', renewed, until, 'NB-2026', 1, 'Access', '', 'no'),
    tier('NB-2028', renewed, until, 'NB-2026', 2, 'Committed', '85% of wound care', 'yes'),
  ]);
  await applied(page);
  await page.goto(`${paths.contractImport}?kind=contract-prices&contract=NB-2028`);
  await check(page, 'Contract prices', [
    PRICE_HEAD,
    ...DRESSINGS.flatMap(([number, , price]) =>
      [1, 2].map((no) => `${number},BX,${no},${priceOf(price * 1.03, no)},${renewed}`),
    ),
  ]);
  await applied(page);
  await page.goto(`${paths.contractImport}?kind=rosters&contract=NB-2028`);
  wizard = await check(page, 'Rosters', [
    'Account,Name,City,State,ZIP,Tier,From,Includes Children',
    `100100,Bayview Health System,Chicago,IL,60601,1,${renewed},yes`,
    `,Lakeside Regional Hosp.,Chicago,IL,60601,1,${renewed},`,
    `100300,Harbor Surgery Center,Chicago,IL,60601,2,${renewed},`,
  ]);
  // The second contract recognizes what people accepted for the first.
  await expect(wizard.getByLabel('Figures')).toContainText('New3');
  await applied(page);
  await page.goto(paths.contracts);
  await expect(page.getByRole('row', { name: /NB-2028/ })).toContainText('Pending');
  await expect(page.getByRole('row', { name: /NB-2026/ })).toContainText('Expiring');
  await picture(page, 'contracts/list');
  await page.goto(address);
  await expect(page.getByRole('link', { name: 'NB-2028' })).toBeVisible();
});
