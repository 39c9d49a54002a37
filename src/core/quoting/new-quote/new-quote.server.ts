// Implements the calls of the new-quote screen.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { hasNoGpoTab } from '#platform/auth/gpo-tab.server.ts';
import { contractsOfFacility } from '#core/prices/letters-and-rosters/facility-contracts/facility-contracts.server.ts';
import { quotePage, quotesMatching } from '#core/quoting/quotes/list/quote-list.server.ts';
import { findSender } from './find-sender.server.ts';
import type { BoughtItem, NewQuote } from './new-quote.contract.ts';

const QUOTES_SHOWN = 5;
const ITEMS_SHOWN = 8;
/** The number of newest won quotes from which to find what a facility buys. */
const WON_QUOTES = 50;

export const newQuoteAnswers: Answers<typeof NewQuote> = {
  FindSender: findSender,
  GetFacilityGlance: async ({ db, services, user }, { facilityId }) => {
    const day = today(services, await loadCompany(db));
    const contracts = (await hasNoGpoTab(db, services, user.id))
      ? undefined
      : await contractsOfFacility({ db, user }, facilityId, { today: day, day });
    const decided = await quotePage(db, services, user, {
      facilityId,
      qtStatuses: ['Won', 'Lost'],
      page: 1,
      pageSize: QUOTES_SHOWN,
    });
    const { rows: bought } = await sql<BoughtItem>`
      with won as (
        select id, quote_date from quote where ${quotesMatching(user, { facilityId, qtStatuses: ['Won'] })}
        order by quote_date desc, id desc limit ${WON_QUOTES}
      ), line as (
        select item_id, item_number, description, qty, unit, quote_date, won.id as quote_id, quote_item.id
          from won join quote_item on quote_item.quote_id = won.id
         where item_id is not null and type = 'item' and active and not optional
      ), newest as (
        select distinct on (item_id) * from line order by item_id, quote_date desc, id desc
      )
      select newest.item_id as "itemId", item_number as "itemNumber", description, quotes, qty, unit, quote_date as "quoteDate"
        from newest join (select item_id, count(distinct quote_id)::int as quotes from line group by 1) times using (item_id)
       order by quotes desc, quote_date desc, item_number limit ${ITEMS_SHOWN}`.execute(db);
    return {
      contracts:
        contracts
          ?.filter(({ by, notPrimary }) => by !== 'excluded' && notPrimary === '')
          .map(({ id, number, gpoName, tierNo, tierName, to }) => ({ id, number, gpoName, tierNo, tierName, to })) ??
        null,
      decided: decided.records,
      bought,
    };
  },
};
