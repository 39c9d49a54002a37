// Fills an empty database with the demo company (design 1). Apart from the date, the result is always the same.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { dayIn } from '#platform/shared/dates.ts';
import { fillImports, fillInbox } from './demo-inbox.server.ts';
import { fillAccountPrices, fillContracts } from './demo-agreed-prices.server.ts';
import { fillItems, fillPromotions, fillTemplates } from './demo-catalog.server.ts';
import { fillConfigurableBed, fillConfigurations } from './demo-configurator.server.ts';
import { fillCrossReferences } from './demo-cross-references.server.ts';
import { fillMoreContracts } from './demo-contracts.server.ts';
import { fillContractFiles } from './demo-contract-files.server.ts';
import { fillEligibilityRequests } from './demo-eligibility.server.ts';
import { fillDocuments } from './demo-documents.server.ts';
import { drawPictures, fillPictures } from './demo-pictures.server.ts';
import { fillPlaces } from './demo-places.server.ts';
import { fillTerritoryPlans } from './demo-plans.server.ts';
import { fillQuotes } from './demo-quotes.server.ts';
import { fillRisks } from './demo-risks.server.ts';
import { fillSavings } from './demo-savings.server.ts';
import { seeded } from './random.server.ts';

const FACILITIES = 600;
const ITEMS = 2000;
const QUOTES = 3000;

/** Does nothing if the database already has users. All or nothing: an interrupted fill leaves an empty database. */
export async function fillDemo(services: Services, say: (line: string) => void): Promise<void> {
  const { db } = services.database;
  if (await db.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) return;
  const scale = services.config.demoScale;
  say('Making the demo company, once…');
  const start = performance.now();
  await inTransaction(services.database.longDb, (trx) => fill(services, trx, scale));
  await fillInbox(services);
  await fillImports(services);
  await fillSavings(services);
  say(`Done in ${((performance.now() - start) / 1000).toFixed(1)} s.`);
}

async function fill(services: Services, db: Db, scale: number): Promise<void> {
  const random = seeded(20_231_121);
  await db
    .updateTable('company')
    .set({
      name: services.config.companyName,
      address: '400 Supply Street, Suite 12, Chicago, IL 60601',
      phone: '(312) 555-0100',
      email: 'quotes@example.com',
      show_pictures: true,
    })
    .execute();
  const { time_zone } = await db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow();
  const today = dayIn(time_zone, services.clock.now());
  const places = await fillPlaces(db, random, {
    facilities: Math.round(FACILITIES * scale),
    password: services.config.demoPassword,
  });
  await fillTerritoryPlans(db, places.users, today);
  const { items, products } = await fillItems(db, random, Math.round(ITEMS * scale), today);
  // Separate processes make the pictures while this one writes the rest.
  const drawing = drawPictures(services, products);
  drawing.catch(() => {});
  const contracts = await fillContracts(db, random, items, places.facilities, today);
  await fillMoreContracts(db, contracts.contracts, today);
  await fillCrossReferences(db, places, items, today);
  await fillPromotions(db, random, items, today);
  const accountPrices = await fillAccountPrices(db, random, items, places.facilities);
  await fillTemplates(db, random, items);
  await fillConfigurableBed(db, places.users, items);
  await fillDocuments(services, db, products, today);
  await fillContractFiles(services, db, contracts.contracts);
  const world = { places, items, contracts, accountPrices, today, now: services.clock.now().getTime() };
  await fillQuotes(db, random, world, Math.round(QUOTES * scale));
  await fillConfigurations(services, db, places.users, items);
  await fillEligibilityRequests(db, services.clock.now(), today);
  await fillRisks(db, today);
  await fillPictures(db, await drawing);
  // Without statistics, queries for the map's facilities take seconds, and PostgreSQL starts to gather them only after a minute.
  await sql`analyze`.execute(db);
}
