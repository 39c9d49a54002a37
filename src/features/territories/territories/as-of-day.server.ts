// The day for which a caller asks who serves whom.
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { loadCompany, today } from '#features/company/company/company.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { AsOf } from './serving-reps.server.ts';

/** The day that is asked for, or today; of a day gone by with what the rule needs to look back. */
export async function asOfDay(db: Db, services: Services, date: IsoDate | null | undefined): Promise<AsOf> {
  const company = await loadCompany(db);
  const now = today(services, company);
  return date && date < now ? { date, timeZone: company.time_zone } : { date: date || now };
}
