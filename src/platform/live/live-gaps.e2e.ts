// Tests gaps in what open screens receive: a killed server, and a sleeping laptop. Nothing is lost, and nothing stays outdated without a notice.
import type { Page } from '@playwright/test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aBoard, total } from '#testing/a-board.ts';
import { startBalancer } from '#testing/balancer.server.ts';
import { addressOf } from '#testing/base-database.server.ts';
import { expect, test } from '#testing/browser.ts';
import { asJustRead } from '#testing/factories/quotes.server.ts';
import { freePort, killProcesses, startServerProcess } from '#testing/server-process.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';

// Its clock is moved forward.
test.use({ company: 'asleep' });

const quantity = (page: Page) => page.getByLabel('Quantity of line 1');

async function aQuoteWithABed(server: TestServer) {
  const { office, quote, bed } = await aBoard(server);
  await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: quote.id, itemId: bed.id, qty: 1 }, { as: office.inside });
  return { office, quote, board: `/int-quote-board/${quote.id}` };
}

test('two people on three servers, one of which is killed', async ({ browser, server, signIn }) => {
  test.setTimeout(240_000);
  const { office, quote, board } = await aQuoteWithABed(server);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-three-'));
  const ports = [await freePort(), await freePort(), await freePort()];
  const balancer = await startBalancer(ports);
  const { tokenSecret } = server.services.config;
  const servers = [];
  for (const port of ports)
    servers.push(
      await startServerProcess({
        DATABASE_URL: addressOf(server.services.database),
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: balancer.address,
        TOKEN_SECRET: tokenSecret,
        MAIL: 'disk',
      }),
    );
  const people: Page[] = [];
  for (const who of [office.inside, office.cs]) {
    const context = await browser.newContext({ baseURL: balancer.address });
    const page = await context.newPage();
    await signIn(who, page);
    await page.goto(board);
    await expect(quantity(page)).toHaveValue('1');
    people.push(page);
  }
  const [first, other] = people as [Page, Page];
  await expect.poll(() => balancer.streamsAt.length).toBeGreaterThanOrEqual(2);
  for (let ordered = 2; ordered < 12; ordered++) {
    if (ordered === 6) {
      // The server whose stream the other user receives.
      const heardFrom = ports.indexOf(balancer.streamsAt.at(-1) ?? 0);
      balancer.leaveOut(ports[heardFrom] ?? 0);
      servers[heardFrom]?.child.kill('SIGKILL');
    }
    const [writer, reader] = ordered % 2 === 0 ? [first, other] : [other, first];
    await quantity(writer).fill(String(ordered));
    await quantity(writer).blur();
    await expect(quantity(reader)).toHaveValue(String(ordered), { timeout: 40_000 });
    // A kill before the answer to the writer would prompt the writer to choose between two quantities.
    await expect(writer.getByText(/^Saved /)).toBeVisible({ timeout: 40_000 });
  }
  for (const page of people) {
    await expect(page.getByText('Reconnecting…')).toBeHidden();
    await expect(total(page)).toContainText('$75,900.00');
    await page.context().close();
  }
  const stored = await server.db
    .selectFrom('quote_item')
    .select(['qty'])
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  expect(stored.qty).toBe(11);
  killProcesses();
  await Promise.all(servers.map(({ ended }) => ended));
  await balancer.close();
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a laptop that slept for an hour says that it reconnects, and catches up without losing what was typed', async ({
  browser,
  server,
  address,
  signIn,
}) => {
  const { office, quote, board } = await aQuoteWithABed(server);
  const balancer = await startBalancer([Number(new URL(address).port)]);
  const context = await browser.newContext({ baseURL: balancer.address });
  const page = await context.newPage();
  await page.clock.install();
  await signIn(office.inside, page);
  await page.goto(board);
  await expect(quantity(page)).toHaveValue('1');
  await expect.poll(() => balancer.streamsAt.length).toBe(1);
  await quantity(page).fill('7');

  balancer.fallAsleep();
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    await asJustRead(server.db, { quote: { id: quote.id, freightAmount: 100 } }),
    { as: office.cs },
  );
  server.setNow(new Date(Date.now() + 3_600_000).toISOString());
  await page.clock.fastForward('01:00:00');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await expect(total(page)).not.toContainText('7,000');

  balancer.wakeUp();
  await expect(total(page)).toContainText('$7,000.00', { timeout: 60_000 });
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  await expect(quantity(page)).toHaveValue('7');
  await quantity(page).blur();
  await expect(total(page)).toContainText('$48,400.00');
  await context.close();
  await balancer.close();
});
