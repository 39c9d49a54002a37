// A quote on its board: users, a quote in Editing, a glove by the box and a bed by the piece, and locators for the board.
import type { Page } from '@playwright/test';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem } from './factories/catalog.server.ts';
import { aSalesOffice } from './factories/people.server.ts';
import { aQuote } from './factories/quotes.server.ts';
import type { TestServer } from './test-server.server.ts';

export async function aBoard(server: TestServer) {
  const office = await aSalesOffice(server.db);
  const quote = await aQuote(server.db, {
    facility: office.facility,
    ownerId: office.rep.id,
    regionId: office.region.id,
    territoryId: office.territory.id,
    statusId: 'Editing',
  });
  const glove = await anItem(server.db, {
    units: { EA: 1, BX: 100 },
    prices: [{ unit: 'BX', price: 9.84 }],
    description: `Exam glove ${quote.num}`,
  });
  const bed = await anItem(server.db, { price: 6900, description: `Low air loss bed ${quote.num}` });
  return { office, quote, glove, bed };
}

/** Somebody asks for more information about a quote in Processing. */
export async function requestInfo(server: TestServer, quoteId: number, as: { id: number }, comment: string) {
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  await server.ok(QuoteWorkflow.PerformWorkflowAction, { quoteId, action: 'RequestInfo', version, comment }, { as });
}

export const addField = (page: Page) => page.getByRole('textbox', { name: 'Add an item by number or name' });
export const total = (page: Page) => page.locator('header').getByText(/^Total/);

/** Chooses from the menu of the lines. */
export async function moreOfLines(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More line actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Opens the right side of the board, which folds when the lines need its room. */
export async function showRail(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show the side panel' }).click();
}
