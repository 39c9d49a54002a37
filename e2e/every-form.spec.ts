// Changes a record in every administrative form while somebody else changes it, too: both values are offered, the kept one is stored,
// and a number field keeps and names what is no number.
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import { paths } from '#platform/shared/paths.ts';
import { expectAccessible } from '#testing/accessible.ts';
import { expect, test } from '#testing/browser.ts';
import { aFile, aDocument, anItem, aProduct, aPromotion, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aContract, aGpo, aLetter, aMembership, aRosterRow, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

test.describe.configure({ mode: 'parallel' });

const PARTS = 6;

type RecordForm = {
  /** The name of the form. */
  form: string;
  field: string;
  at: string;
  /** The button or link that opens the form, a key, or nothing where the form is the page. */
  by?: string | { key: string };
  /** Where the field is stored. */
  table: string;
  column: string;
  id: number;
  /** Its entries are saved one by one, and the later save counts. */
  lastSaveWins?: boolean;
};

async function forms({ db, services }: TestServer, admin: { id: number }): Promise<RecordForm[]> {
  const region = await aRegion(db);
  const territory = await aTerritory(db, { regionId: region.id });
  const facility = await aFacility(db);
  const contact = await db
    .selectFrom('contact')
    .select(['id', 'name'])
    .where('facility_id', '=', facility.id)
    .executeTakeFirstOrThrow();
  const gpo = await aGpo(db);
  const membership = await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
  const person = await aUser(db);
  const item = await anItem(db);
  const reference = {
    ...(await aCrossReference(db, { number: `REF-${item.id}`, item_id: item.id })),
    number: `REF-${item.id}`,
  };
  const promotion = await aPromotion(db, { itemId: item.id });
  const product = await aProduct(db, { itemIds: [item.id] });
  const file = await aFile(db, services.files);
  const document = await aDocument(db, { fileId: file.id, title: `Document ${file.id}` });
  const template = await aQuoteTemplate(db, { lines: [{ itemId: item.id, unit: 'EA' }] });
  const model = await storedRow(db, 'configurable_model', { name: `Model ${item.id}` });
  const contract = await aContract(db, { gpoId: gpo.id });
  const tier = await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, fallbackId: contract.tierId });
  const shared = { contractId: contract.id, facilityId: facility.id };
  const row = await aRosterRow(db, { ...shared, tierId: contract.tierId });
  const letter = await aLetter(db, { ...shared, tierId: tier.id, state: 'Sent' });
  const rule = await storedRow(db, 'approval_rule', {
    name: `Rule ${item.id}`,
    metric: 'quoteTotal',
    operator: '>',
    threshold: 1e6,
    role: 'salesadmin',
    position: 10_000,
  });
  const webhook = await storedRow(db, 'webhook_endpoint', {
    description: `Webhook ${item.id}`,
    address: 'https://example.com/',
    events: ['order_request.created'],
  });
  const day = '2026-11-01';
  const plan = await storedRow(db, 'territory_plan', {
    name: `Plan ${item.id}`,
    owner_id: admin.id,
    base_day: day,
    effective_day: day,
  });
  const contractAt = (tab: string) => `${paths.contract(contract.id)}?tab=${tab}`;
  return [
    {
      form: 'Region',
      field: 'Name',
      at: `${paths.regions}?keyword=${region.name}`,
      by: region.name,
      table: 'region',
      column: 'name',
      id: region.id,
    },
    {
      form: 'Cross-reference',
      field: 'Source',
      at: `${paths.crossReferences}?keyword=${reference.number}`,
      by: reference.number,
      table: 'cross_reference',
      column: 'source',
      id: reference.id,
    },
    {
      form: 'Territory',
      field: 'Name',
      at: paths.territory(territory.id),
      table: 'territory',
      column: 'name',
      id: territory.id,
    },
    {
      form: 'Facility',
      field: 'Phone',
      at: paths.facility(facility.id),
      by: 'Edit Facility',
      table: 'facility',
      column: 'phone',
      id: facility.id,
    },
    {
      form: 'Contact',
      field: 'Title',
      at: paths.facility(facility.id),
      by: `Edit ${contact.name}`,
      table: 'contact',
      column: 'title',
      id: contact.id,
      lastSaveWins: true,
    },
    {
      form: 'GPO membership',
      field: 'Member number',
      at: paths.facility(facility.id),
      by: `Edit the membership of ${gpo.name}`,
      table: 'gpo_membership',
      column: 'member_id',
      id: membership.id,
      lastSaveWins: true,
    },
    { form: 'User', field: 'Phone', at: paths.editUser(person.id), table: 'app_user', column: 'phone', id: person.id },
    {
      form: 'Product',
      field: 'Brand',
      at: paths.product(product.id),
      table: 'product',
      column: 'brand',
      id: product.id,
    },
    {
      form: 'Promotion',
      field: 'Name',
      at: `${paths.promotions}?keyword=${item.itemNumber}`,
      by: `Promotion ${promotion.id}`,
      table: 'promotion',
      column: 'name',
      id: promotion.id,
    },
    {
      form: 'Template',
      field: 'Description',
      at: paths.quoteTemplate(template.id),
      table: 'quote_template',
      column: 'description',
      id: template.id,
    },
    {
      form: 'Model',
      field: 'Description',
      at: paths.configurableModel(model),
      table: 'configurable_model',
      column: 'description',
      id: model,
    },
    {
      form: 'Contract',
      field: 'Title',
      at: paths.contract(contract.id),
      by: { key: 'e' },
      table: 'gpo_contract',
      column: 'title',
      id: contract.id,
    },
    {
      form: 'Tier',
      field: 'Name',
      at: paths.contract(contract.id),
      by: 'Edit tier 2',
      table: 'contract_tier',
      column: 'name',
      id: tier.id,
    },
    {
      form: 'Roster row',
      field: 'Member id',
      at: contractAt('roster'),
      by: `Edit ${facility.name}`,
      table: 'contract_roster',
      column: 'member_id',
      id: row.id,
    },
    {
      form: 'Letter of commitment',
      field: 'Note',
      at: contractAt('letters'),
      by: `Details of the letter of ${facility.name}`,
      table: 'contract_loc',
      column: 'note',
      id: letter.id,
    },
    {
      form: 'Approval rule',
      field: 'Name',
      at: paths.approvalRules,
      by: `Rule ${item.id}`,
      table: 'approval_rule',
      column: 'name',
      id: rule,
    },
    {
      form: 'Webhook',
      field: 'Description',
      at: paths.webhooks,
      by: `Webhook ${item.id}`,
      table: 'webhook_endpoint',
      column: 'description',
      id: webhook,
    },
    {
      form: 'Plan',
      field: 'Note',
      at: paths.savedMap(plan),
      by: { key: 'e' },
      table: 'territory_plan',
      column: 'note',
      id: plan,
    },
    { form: 'Company', field: 'Phone', at: paths.company, table: 'company', column: 'phone', id: 1 },
    {
      form: 'Document',
      field: 'Title',
      at: `${paths.itemDocuments}?keyword=Document ${file.id}`,
      by: `Document ${file.id}`,
      table: 'document',
      column: 'title',
      id: document.id,
    },
  ];
}

async function storedRow(
  db: TestServer['db'],
  table: 'configurable_model' | 'approval_rule' | 'webhook_endpoint' | 'territory_plan',
  values: object,
) {
  const { id } = await db
    .insertInto(table)
    .values(values as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A text that is no number stays in its field, which says what is wrong. */
async function refuseNonNumbers(form: Locator) {
  // A field for a date has a button for its calendar.
  const numbers = form.locator(
    '.mantine-TextInput-root:has(label):not(:has(button)) input:is([inputmode=decimal], [inputmode=numeric])',
  );
  for (const field of await numbers.and(form.locator(':enabled')).all()) {
    const before = await field.inputValue();
    for (const text of ['2,5', '-3']) {
      await field.fill(text);
      await expect(field).toHaveAccessibleDescription(/is not a number|^At least/);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveValue(text);
    }
    await field.fill(before);
  }
}

async function change(page: Page, { db }: TestServer, input: RecordForm) {
  const stored = async () => {
    const { rows } = await sql<{ value: string }>`
      select ${sql.ref(input.column)} as value from ${sql.table(input.table)} where id = ${input.id}`.execute(db);
    return rows[0]?.value;
  };
  const mine = `Mine ${input.id}`;
  await page.goto(input.at);
  const form = page.getByRole('form', { name: input.form, exact: true });
  if (typeof input.by === 'string')
    await page
      .getByRole('button', { name: input.by, exact: true })
      .or(page.getByRole('link', { name: input.by, exact: true }))
      .first()
      .click();
  else if (input.by) {
    await expect(page.getByRole('main').locator(`[aria-keyshortcuts="${input.by.key}"]`)).toBeVisible();
    await page.keyboard.press(input.by.key);
  }
  const field = form
    .getByRole('textbox', { name: input.field, exact: true })
    .or(form.getByRole('combobox', { name: input.field, exact: true }));
  await field.fill(mine);
  await refuseNonNumbers(form);
  if (!input.lastSaveWins)
    await sql`update ${sql.table(input.table)} set ${sql.ref(input.column)} = ${`Theirs ${input.id}`}, version = version + 1
      where id = ${input.id}`.execute(db);
  await field.press('Control+Enter');
  if (!input.lastSaveWins) {
    const dialog = page.getByRole('dialog', { name: 'Changed by someone else' });
    await expect(dialog.getByRole('row', { name: `${input.field} Theirs ${input.id} ${mine}` })).toBeVisible();
    await expectAccessible(page, '[role="dialog"]');
    expect(await stored()).toBe(`Theirs ${input.id}`);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect(dialog).toHaveCount(0);
  }
  await expect.poll(stored).toBe(mine);
}

for (let part = 0; part < PARTS; part++)
  test(`every form, part ${part + 1} of ${PARTS}`, async ({ page, server, signIn }) => {
    // A fault costs a wait; the others are named, too.
    test.slow();
    const admin = await aUser(server.db, { roles: ['systemadmin'] });
    await signIn(admin);
    const faults: string[] = [];
    for (const input of (await forms(server, admin)).filter((_, at) => at % PARTS === part))
      try {
        await change(page, server, input);
      } catch (error) {
        // One run names all forms with a fault.
        faults.push(`${input.form}: ${String(error)}`);
      }
    expect(faults).toEqual([]);
  });
