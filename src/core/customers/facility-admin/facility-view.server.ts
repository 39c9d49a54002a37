// Answers the FacilityView calls.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { quotesMatching } from '#core/quoting/quotes/list/quote-list.server.ts';
import { STATUSES, StatusId } from '#core/quoting/quotes/status.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import type { FacilityView } from './facility-view.contract.ts';
import { facilityPrices, facilityPricesFile } from './prices/price-list.server.ts';

export const facilityViewAnswers: Answers<typeof FacilityView> = {
  GetFacilityPrices: facilityPrices,

  ExportFacilityPrices: facilityPricesFile,

  /** Lists statuses in workflow order and omits those without quotes. Returns none for an unknown facility. */
  GetFacilityQuoteFigures: async ({ db, user }, { facilityId }) => {
    const rows = await db
      .selectFrom('quote')
      .where(quotesMatching(user, { facilityId }))
      .select((eb) => [
        'status_id',
        sql<boolean>`currn_idx = ${sql.lit(EURO_INDEX)}`.as('euro'),
        eb.fn.countAll<number>().as('count'),
        sql<number>`sum(total_amount)`.as('amount'),
      ])
      .groupBy(['status_id', sql`2`])
      .execute();
    return rows
      .map(({ status_id, euro, count, amount }) => ({
        statusId: StatusId.parse(status_id),
        currnIdx: euro ? EURO_INDEX : DOLLAR_INDEX,
        count,
        amount,
      }))
      .toSorted((a, b) => STATUSES.indexOf(a.statusId) - STATUSES.indexOf(b.statusId) || a.currnIdx - b.currnIdx);
  },
};
