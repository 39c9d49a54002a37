// Reads the day of a request about who serves whom.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { AsOf } from './territory-of-zip.server.ts';

/** The requested day, or today. A past day includes the company's time zone, which reading the history requires. */
export async function asOfDay(db: Db, services: Services, date: IsoDate | null | undefined): Promise<AsOf> {
  const company = await loadCompany(db);
  const now = today(services, company);
  return date && date < now ? { date, timeZone: company.time_zone } : { date: date || now };
}
