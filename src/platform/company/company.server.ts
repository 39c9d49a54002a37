// The selling company: its record, its calendar day, and the effect of that day on a quote.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Company } from '#platform/db/tables.ts';
import { dayIn, type IsoDate } from '#platform/shared/dates.ts';
import type { PricePlaces } from '#platform/shared/money.ts';

/** Returns the only company row, which the migrations create. */
export function loadCompany(db: Db): Promise<Selectable<Company>> {
  return db.selectFrom('company').selectAll().executeTakeFirstOrThrow();
}

/** Returns the number of decimal places of the company's computed unit prices. */
export function pricePlacesOf({ price_places: places }: { price_places: number }): PricePlaces {
  return places === 2 ? 2 : 4;
}

/** Returns today's calendar date in the company's time zone. */
export function today(services: Pick<Services, 'clock'>, company: { time_zone: string }): IsoDate {
  return dayIn(company.time_zone, services.clock.now());
}

/** SQL for the day that `now` is in the company's time zone. It saves reading the time zone first. */
export function companyDay(now: Date): RawBuilder<unknown> {
  return sql`(select (${now.toISOString()}::timestamptz at time zone time_zone)::date from company)`;
}
