// Decides which quotes a user can see (design 3). Every response that contains a quote uses this.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { hasRole, INTERNAL_ROLES, SEES_ALL_ROLES } from '#platform/shared/roles.ts';
import type { QuoteRecord } from './quote-rows.ts';

/** The facts about a user that determine which quotes they can see. */
export type Viewer = Pick<Caller, 'id' | 'roles' | 'regionIds' | 'supportedRepIds' | 'deputyFor'>;

export function seesAllQuotes(user: Pick<Viewer, 'roles'>): boolean {
  return hasRole(user, ...SEES_ALL_ROLES);
}

/**
 * The condition on `quote` for the quotes that a user can see, as in `.where(inSight(user))`. Users see the quotes that they sell or wrote, and the
 * quotes that any of their roles can see.
 */
export function inSight(user: Viewer): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'quote'>();
  if (seesAllQuotes(user)) return eb.lit(true);
  const seen: Expression<SqlBool>[] = [];
  if (hasRole(user, 'salesrep', 'salessupport', 'salesQuoteManager')) {
    seen.push(eb('quote.owner_id', '=', user.id));
    const reps = hasRole(user, 'salessupport') ? [user.id, ...user.supportedRepIds] : [user.id];
    seen.push(eb('quote.sales_rep_id', 'in', reps));
  }
  if (hasRole(user, 'salesQuoteManager') && user.regionIds.length > 0)
    seen.push(eb('quote.region_id', 'in', user.regionIds));
  const absent = user.deputyFor.map((person) => inSight({ ...person, supportedRepIds: [], deputyFor: [] }));
  if (absent.length > 0) seen.push(eb.and([eb.or(absent), approvalWasAsked()]));
  return seen.length > 0 ? eb.or(seen) : eb.lit(false);
}

/**
 * The same decision as `inSight` for a quote already read, for notifying many users without a query for each. `wasAsked` is whether approval of the
 * quote was requested.
 */
export function seesQuote(
  user: Viewer,
  quote: Pick<QuoteRecord, 'owner_id' | 'sales_rep_id' | 'region_id'> & { wasAsked: boolean },
): boolean {
  if (seesAllQuotes(user)) return true;
  const { owner_id: ownerId, sales_rep_id: repId, region_id: regionId, wasAsked } = quote;
  const sells = hasRole(user, 'salesrep', 'salessupport', 'salesQuoteManager');
  if (sells && (ownerId === user.id || repId === user.id)) return true;
  if (hasRole(user, 'salessupport') && repId !== null && user.supportedRepIds.includes(repId)) return true;
  if (hasRole(user, 'salesQuoteManager') && regionId !== null && user.regionIds.includes(regionId)) return true;
  return (
    wasAsked && user.deputyFor.some((person) => seesQuote({ ...person, supportedRepIds: [], deputyFor: [] }, quote))
  );
}

/** A deputy sees only those of the absent user's quotes for which approval was requested. */
function approvalWasAsked(): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from approval_request where approval_request.quote_id = quote.id)`;
}

/** Reads the quote if the user can see it. Otherwise throws 404, as for an unknown quote. `lock` locks it until the transaction ends. */
export async function requireQuote(
  db: Db,
  user: Viewer,
  id: number,
  options: { lock?: boolean } = {},
): Promise<QuoteRecord> {
  const quote = await db
    .selectFrom('quote')
    .selectAll()
    .where('quote.id', '=', id)
    .where(inSight(user))
    .$if(options.lock ?? false, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!quote) throw notFound('quote');
  return quote;
}

/**
 * Returns whether the user is on the owner side (design 2): the quote's sales representative, that representative's sales support, the
 * salesQuoteManager of its region, or the quote's author.
 */
export function isOwnerSide(
  user: Viewer,
  quote: Pick<QuoteRecord, 'owner_id' | 'sales_rep_id' | 'region_id'>,
): boolean {
  return (
    quote.sales_rep_id === user.id ||
    quote.owner_id === user.id ||
    (hasRole(user, 'salessupport') &&
      quote.sales_rep_id !== null &&
      user.supportedRepIds.includes(quote.sales_rep_id)) ||
    (hasRole(user, 'salesQuoteManager') && quote.region_id !== null && user.regionIds.includes(quote.region_id))
  );
}

/** Returns whether the user may send a quote to its customer, close its link, and change its reminder. */
export function maySend(user: Viewer, quote: Pick<QuoteRecord, 'owner_id' | 'sales_rep_id' | 'region_id'>): boolean {
  return isOwnerSide(user, quote) || hasRole(user, ...INTERNAL_ROLES, 'salesQuoteManager');
}

type Owned = Pick<QuoteRecord, 'owner_id' | 'sales_rep_id' | 'region_id'>;

/** Rejects a change by an API key after which other users would see the quote. The holder of the key could sign in as one of them. */
export function refuseKeyThatMoves({ keyId }: Pick<Caller, 'keyId'>, before: Owned, after: Partial<Owned>): void {
  const moved = (['owner_id', 'sales_rep_id', 'region_id'] as const).some(
    (name) => after[name] !== undefined && after[name] !== before[name],
  );
  if (keyId === undefined || !moved) return;
  throw new HttpError(
    403,
    'An API key cannot change who sees a quote (its sales representative or region). Sign in as a user to change it.',
  );
}
