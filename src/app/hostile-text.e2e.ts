// Tests that three hundred hostile texts are saved or refused with a sentence, and stay text on every screen that shows texts of users, also on a
// phone.
import type { Page } from '@playwright/test';
import { FacilityAdmin } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { withoutApprovalRules } from '#testing/approval-rules.server.ts';
import { expect, test } from '#testing/browser.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { addressesOf, fullCompany } from '#testing/full-company.server.ts';
import { HOSTILE_STRINGS, MARK } from '#testing/hostile-strings.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { openScreen, STUCK } from '#testing/walk-screens.ts';

test.describe.configure({ mode: 'parallel' });
test.use({ company: 'hostile', viewport: { width: 390, height: 844 } });

/** Returns what is stored of a typed text. */
const storedText = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim();
const STORED = [...new Set(HOSTILE_STRINGS.filter((text) => text.isWellFormed()).map(storedText))];

/** Returns the beginning of a text, without half a surrogate pair at its end. */
function fit(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Returns a function that fills fields with the texts in turn, as many as fit. */
function inTurn(): (max: number) => string {
  let next = 0;
  return (max) => {
    let text = fit(STORED[next++ % STORED.length] ?? '', max);
    for (;;) {
      const longer = `${text} ${STORED[next % STORED.length]}`;
      if (longer.length > max) return text;
      text = longer;
      next++;
    }
  };
}

/** Collects what the pages must not do. */
function watch(page: Page): string[] {
  const faults: string[] = [];
  const note = (what: string) => void faults.push(`${new URL(page.url()).pathname}: ${what}`);
  page.on('pageerror', ({ message }) => note(message));
  page.on('response', (answer) => void (answer.status() >= 500 && note(`${answer.status()} of ${answer.url()}`)));
  page.on('dialog', (dialog) => {
    note('a dialog');
    void dialog.dismiss();
  });
  return faults;
}

/** Finds elements that only markup in the texts would create, and how far the page is wider than its window. */
const LOOK = `(() => {
  const made = [...document.querySelectorAll('img[src="x"], [onerror], [onload], [onfocus], [ontoggle], [onbegin], [onmouseover],' +
    'iframe[srcdoc], object[data^="javascript"], embed, base, meta[http-equiv="refresh" i], link[href*="attacker"], form[action^="javascript"]')];
  const links = [...document.links].filter(({ protocol, host }) => !/^(https?|mailto|tel|blob):$/.test(protocol) || host === 'attacker.example');
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    ran: '${MARK}' in window,
    made: [...made, ...links].map((one) => one.outerHTML.slice(0, 200)),
    tooWide: Math.max(0, scrollWidth - clientWidth),
  };
})()`;

async function settle(page: Page) {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root')).toHaveCount(0);
}

async function visit(page: Page, address: string, faults: string[]) {
  await page.goto(address);
  await settle(page);
  await expectClean(page, address, faults);
}

/** Opens a screen within the application, which takes a tenth of the time. */
async function visitWithin(page: Page, address: string, faults: string[]) {
  const { heading } = await openScreen(page, address);
  if (heading === STUCK) faults.push(`${address}: ${STUCK}`);
  await expectClean(page, address, faults);
}

async function expectClean(page: Page, address: string, faults: string[]) {
  const clean = { ran: false, made: [], tooWide: 0 };
  // A list renders again a moment after its container becomes narrower.
  await expect
    .poll(() => page.evaluate(LOOK), { timeout: 3000 })
    .toEqual(clean)
    .catch(async () => void faults.push(`${address}: ${JSON.stringify(await page.evaluate(LOOK))}`));
}

const QUOTES = 6;

/** Saves each text as a facility with its contact, and as a template; then saves quotes that contain them in turn. */
async function saveAll(server: TestServer, admin: { id: number }, cs: { id: number }) {
  const refused: string[] = [];
  const saved = new Set<string>();
  let facilityId = 0;
  for (const [at, text] of HOSTILE_STRINGS.entries()) {
    const named = { acctNo: `H-${1000 + at}`, name: text, shipTo: { line1: text, line2: text, city: fit(text, 100) } };
    const facility = await server.call(FacilityAdmin.SaveFacility, named, { as: admin });
    const template = { name: fit(text, 100), description: text, customerMessage: text, items: [] };
    const answers: { status: number; body: unknown }[] = [
      facility,
      await server.call(QuoteTemplates.SaveQuoteTemplate, template, { as: admin }),
    ];
    if (facility.status === 200) {
      facilityId = facility.body.id;
      const contact = { facilityId, name: fit(text, 100), title: fit(text, 100), phone: fit(text, 40) };
      answers.push(await server.call(FacilityAdmin.SaveFacilityContact, contact, { as: admin }));
      saved.add(facility.body.name);
    } else refused.push(text);
    for (const { status, body } of answers)
      if (status !== 200)
        expect({ text, status, body }).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/\w{4}/) } });
  }
  expect(refused).toEqual(HOSTILE_STRINGS.filter((text) => !text.isWellFormed()));
  expect([...saved].toSorted()).toEqual(STORED.toSorted());

  const boards: number[] = [];
  const text = inTurn();
  for (let count = 0; count < QUOTES; count++) {
    const quote = {
      facilityId,
      contactName: text(200),
      contactEmail: text(320),
      phone: text(40),
      customerReference: text(100),
      poNumber: text(100),
      paymentTerms: text(100),
      internalNotes: text(1000),
      customerMessage: text(1000),
    };
    const items = [{ type: 'section' as const, description: text(1000) }];
    const created = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote, items }, { as: cs });
    const step = { quoteId: created.quote.id, action: 'StartProcess' as const, version: created.quote.version };
    await server.ok(QuoteWorkflow.PerformWorkflowAction, { ...step, comment: text(1000) }, { as: cs });
    boards.push(created.quote.id);
  }
  return { facilityId, boards };
}

/** Sends a quote with a line of each text to the customer. */
async function sendAll(server: TestServer, cs: { id: number }, facilityId: number) {
  const items = STORED.map((text) => ({
    itemNumber: fit(text, 100),
    description: text,
    notes: text,
    unit: fit(text, 20),
    qty: 1,
    unitPrice: 5,
    priceReason: text,
  }));
  const quote = { facilityId, contactName: 'Jane Buyer', contactEmail: 'jane@example.org' };
  const created = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote, items }, { as: cs });
  const step = { quoteId: created.quote.id, action: 'StartProcess' as const, version: created.quote.version };
  const started = await server.ok(QuoteWorkflow.PerformWorkflowAction, step, { as: cs });
  const restore = await withoutApprovalRules(server.db);
  const mail = { quoteId: created.quote.id, version: started.quote.version, to: ['b@example.org'], subject: '=1+1' };
  const { quote: sent } = await server.ok(QuoteWorkflow.SendEmail, { ...mail, body: '<b>' }, { as: cs });
  await restore();
  return { id: created.quote.id, docId: sent.docId ?? '' };
}

test('three hundred texts, saved through the calls, stay text in lists, on boards and on the customer’s page', async ({
  page,
  signIn,
  server,
}) => {
  expect(new Set(HOSTILE_STRINGS).size).toBe(300);
  const admin = await aUser(server.db, { roles: ['systemadmin'], fullName: HOSTILE_STRINGS[0] ?? '' });
  const cs = await aUser(server.db, { roles: ['csrep'], fullName: HOSTILE_STRINGS[1] ?? '' });
  const { facilityId, boards } = await saveAll(server, admin, cs);
  const { id, docId } = await sendAll(server, cs, facilityId);
  const faults = watch(page);
  await signIn(admin);
  await visit(page, paths.quoteDoc(docId), faults);
  // Every text is there, character by character.
  const result = await page.evaluate<string>('document.body.textContent');
  expect(STORED.filter((text) => !result.includes(text))).toEqual([]);
  const pages = Array.from({ length: Math.ceil(STORED.length / 20) }, (_, at) => `?page=${at + 1}`);
  await visit(page, paths.internalBoard(id), faults);
  for (const address of [
    paths.findQuoteInternal,
    paths.quoteTemplates,
    paths.facility(facilityId),
    ...pages.map((page) => `${paths.facilities}${page}`),
    ...boards.map(paths.internalBoard),
  ])
    await visitWithin(page, address, faults);
  expect(faults).toEqual([]);
});

for (const part of [0, 1])
  test(`every screen of a company full of such texts, part ${part + 1} of 2`, async ({ page, signIn, server }) => {
    const company = await fullCompany(server, inTurn());
    const faults = watch(page);
    await signIn(company.admin);
    for (const address of addressesOf(company).filter((_, at) => at % 2 === part)) await visit(page, address, faults);
    expect(faults).toEqual([]);
  });
