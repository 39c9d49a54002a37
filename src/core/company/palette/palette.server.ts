// The answer of Palette: each kind follows the rules of its own list.
import { sql } from 'kysely';
import type { Answers, Context as ContextOf } from '#platform/api/serve.server.ts';
import { ONE_PLAN } from '#platform/db/database.server.ts';
import { type Found as FoundItem, stretchOfItems } from '#core/catalog/items/find-items.server.ts';
import { MIN_KEYWORD } from '#core/catalog/items/items.contract.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { facilitiesByKeyWord } from '#core/customers/facilities/facilities.server.ts';
import { hasNoGpoTab } from '#platform/auth/gpo-tab.server.ts';
import { User } from '#core/people/user-admin/user-admin.contract.ts';
import { namedLike } from '#platform/users/users.server.ts';
import { contractsByKeyWord } from '#core/prices/contracts/list/contract-list.server.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { quoteNumber, STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { findQuotes } from './find-quotes.server.ts';
import type { Found, Palette } from './palette.contract.ts';

type Context = ContextOf<'user'>;
type ItemRow = FoundItem & { id: number; item_number: string; description: string };

const OF_EACH = 6;
const SHORTEST = 2;

export const paletteAnswers: Answers<typeof Palette> = {
  FindAnything: async (context, { text }) => {
    if (text.length < SHORTEST) return [];
    // Runs in parallel, because the user is typing and sees nothing before the slowest answer.
    const kinds = [quotes, facilities, items, contracts, people];
    return (await Promise.all(kinds.map((find) => find(context, text)))).flat();
  },
};

/** Joins the non-empty parts of a detail. */
const joined = (...parts: string[]) => parts.filter(Boolean).join(' · ');

async function quotes({ db, user }: Context, text: string): Promise<Found[]> {
  const results = await findQuotes(db, user, text, OF_EACH);
  return results.map((quote) => ({
    kind: 'quote',
    title: quoteNumber(quote.num, quote.revision),
    detail: joined(quote.facility_name, STATUS_LABELS[quote.status_id], poWords(quote.po_number)),
    place: boardPath(user, quote.id),
  }));
}

/** Returns 'PO 4711'. Many users type the 'PO' themselves. */
function poWords(poNumber: string): string {
  return poNumber === '' || /^po\b/i.test(poNumber) ? poNumber : `PO ${poNumber}`;
}

async function facilities({ db }: Context, text: string): Promise<Found[]> {
  const results = await facilitiesByKeyWord(db, text, OF_EACH);
  return results.map(({ id, name, acctNo, city, state, zip }) => ({
    kind: 'facility',
    title: name,
    detail: joined(acctNo === '' ? '' : `Acct. ${acctNo}`, `${city}, ${state} ${zip}`),
    place: paths.facility(id),
  }));
}

async function items({ db, services }: Context, text: string): Promise<Found[]> {
  if (text.length < MIN_KEYWORD) return [];
  const filter = { keyword: text, hasRecentSaleOnly: false };
  const { rows } = await stretchOfItems<ItemRow>(
    services,
    async (result, by, onePlan) => {
      const read = sql<ItemRow>`
        select page.*, item.item_number, item.description from (${result}) page left join item on item.id = page.id
        order by ${by} ${onePlan ? ONE_PLAN : sql``}`;
      return (await read.execute(db)).rows;
    },
    filter,
    services.clock.now(),
    { offset: 0, limit: OF_EACH },
  );
  return rows.map((row) => ({
    kind: 'item',
    title: row.item_number,
    detail: row.description,
    place: paths.foundItem(row.item_number, row.id),
  }));
}

async function contracts({ db, user, services }: Context, text: string): Promise<Found[]> {
  if (await hasNoGpoTab(db, services, user.id)) return [];
  const day = today(services, await loadCompany(db));
  const results = await contractsByKeyWord({ db, user, day }, text, OF_EACH);
  return results.map(({ id, number, title, gpoName, status }) => ({
    kind: 'contract',
    title: number,
    detail: joined(title, gpoName ?? 'Local', status),
    place: paths.contract(id),
  }));
}

/** Only for users who may open the list of users. */
async function people({ db, user }: Context, text: string): Promise<Found[]> {
  if (!hasRole(user, ...User.SearchUsers.access)) return [];
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'full_name', 'user_name', 'active'])
    .where(namedLike(text))
    .orderBy('active', 'desc')
    .orderBy(sql`lower(full_name)`)
    .orderBy('id')
    .limit(OF_EACH)
    .execute();
  return rows.map(({ id, full_name: name, user_name: userName, active }) => ({
    kind: 'person',
    title: name,
    detail: joined(userName, active ? '' : 'Inactive'),
    place: paths.editUser(id),
  }));
}
