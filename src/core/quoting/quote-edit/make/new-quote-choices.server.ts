// The initial values of a new quote and the choices of its fields.
import { sql } from 'kysely';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { contains } from '#platform/db/contains.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { alikeText } from '#core/customers/facility-finder/match-account-number.server.ts';
import { FREIGHT_TERMS, PAYMENT_TERMS } from '#core/customers/facilities/terms.ts';
import { EDITABLE_STATUSES } from '#core/quoting/quote-workflow/workflow.ts';
import { namesLike } from '#core/quoting/quotes/list/quote-list.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import { servingReps } from '#core/territories/territories/serving-reps.server.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { hasRole, isInternal, type Role } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { QuoteEdit, QuoteEditData } from '../quote-edit.contract.ts';
import { viewOf } from '../view/load-quote.server.ts';
import { type ReadContext, viewQuote } from '../view/quote-view.server.ts';
import { blankQuote, ownRep, repsToChooseFrom } from './blank-quote.server.ts';

const UNITS = ['EA', 'BX', 'CS', 'PK', 'PR', 'BG', 'RL', 'BT', 'CT', 'DZ', 'KT', 'ST', 'TB', 'VL'];

/** The initial values of a new quote in the API format (id 0). Stores nothing. */
export async function populateNewQuote({ db, services, user }: ReadContext): Promise<QuoteEditData> {
  const company = await loadCompany(db);
  const rep = ownRep(user);
  const people = await db
    .selectFrom('app_user')
    .select(['id', 'full_name'])
    .where('id', 'in', rep === null ? [user.id] : [user.id, rep])
    .execute();
  const names = new Map(people.map((person) => [person.id, person.full_name]));
  const quote = viewQuote(
    blankQuote(user, today(services, company), company.default_validity_days, services.clock.now().toISOString()),
    [],
    viewOf(user),
    { names, expired: false, docId: null },
  );
  return {
    quote,
    items: [],
    allowedActions: [],
    editable: { commercial: true, notes: true, promotions: isInternal(user), reason: '' },
    approval: null,
    approvalNeeded: [],
    provisional: null,
    files: [],
    events: [],
    revisions: [],
    otherOpenQuotes: [],
    warnings: [],
    configurator: { waits: false, offers: false, connected: false },
  };
}

/** The choices for a quote's fields. For a facility: its contacts, its own terms and its representatives. */
export async function populateLookups(
  { db, services, user }: ReadContext,
  { facilityId }: { facilityId?: number | null | undefined },
): Promise<OutputOf<typeof QuoteEdit.PopulateQuoteEditLookups>> {
  const roles: Role[] = ['salesrep', 'csrep', 'insiderep'];
  const people = await db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
    .select(['app_user.id', 'full_name as name', 'role'])
    .where('active', '=', true)
    .where('role', 'in', roles)
    .orderBy('full_name')
    .orderBy('app_user.id')
    .execute();
  const having = (role: Role): Named[] =>
    people.filter((person) => person.role === role).map(({ id, name }) => ({ id, name }));
  const own = repsToChooseFrom(user);
  const facility = facilityId
    ? await db
        .selectFrom('facility')
        .select(['payment_terms', 'freight_terms'])
        .where('id', '=', facilityId)
        .executeTakeFirst()
    : undefined;
  const contacts = facilityId
    ? await db
        .selectFrom('contact')
        .select(['id', 'name', 'title', 'email', 'phone'])
        .where('facility_id', '=', facilityId)
        .orderBy('name')
        .execute()
    : [];
  const alike = facilityId
    ? await sql<{ alike: string[] }>`select alike_with_prices(${facilityId}) as alike`.execute(db)
    : null;
  const serving = facilityId ? await servingReps(db, facilityId, today(services, await loadCompany(db))) : null;
  const classes = await db
    .selectFrom('item_class')
    .select(['id', 'name'])
    .where('visible_in_web_quote', '=', true)
    .orderBy('name')
    .execute();
  const servingRep = serving?.salesRep?.id ?? null;
  const mayServe = servingRep !== null && (own === null || own.includes(servingRep));
  return {
    salesReps: having('salesrep').filter(({ id }) => own === null || own.includes(id)),
    csReps: having('csrep'),
    isReps: having('insiderep'),
    contacts,
    warning: alikeText(alike?.rows[0]?.alike ?? []),
    paymentTerms: withOwn(PAYMENT_TERMS, facility?.payment_terms),
    freightTerms: withOwn(FREIGHT_TERMS, facility?.freight_terms),
    classes,
    units: UNITS,
    defaults: {
      salesRepId: mayServe ? servingRep : ownRep(user),
      csRepId: serving?.csRep?.id ?? null,
      isRepId: serving?.isRep?.id ?? null,
    },
    currencies: [
      { id: DOLLAR_INDEX, name: 'US dollar' },
      { id: EURO_INDEX, name: 'Euro' },
    ],
  };
}

function withOwn(usual: readonly string[], own: string | undefined): string[] {
  return own && !usual.includes(own) ? [own, ...usual] : [...usual];
}

const BEST = 20;

/**
 * The best 20 quotes to which this user may add lines now: own quotes first, then the newest. The keyword matches number, facility name or account.
 */
export async function findOpenQuotes(
  { db, user }: ReadContext,
  { keyword }: { keyword?: string | null | undefined },
): Promise<OutputOf<typeof QuoteEdit.FindOpenQuotes>> {
  const drafts: StatusId[] = ['Editing', 'Revising', 'NeedMoreInfo'];
  const staff = isInternal(user) || hasRole(user, 'salesadmin');
  const managed = hasRole(user, 'salesQuoteManager') && user.regionIds.length > 0 ? user.regionIds : null;
  const words = keyword?.trim().toLowerCase() ?? '';
  const number = /^#?(\d+)/.exec(words)?.[1];
  const open = db
    .selectFrom('quote')
    .select(['id', 'num', 'revision', 'facility_name', 'status_id', 'total_amount', 'currn_idx', 'quote_date'])
    .where(inSight(user))
    .where((eb) =>
      eb.or([
        eb('status_id', 'in', staff ? EDITABLE_STATUSES : drafts),
        ...(managed ? [eb.and([eb('status_id', 'in', EDITABLE_STATUSES), eb('region_id', 'in', managed)])] : []),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('approval_request')
            .select('approval_request.id')
            .whereRef('approval_request.quote_id', '=', 'quote.id')
            .where('approval_request.state', '=', 'Pending'),
        ),
      ),
    )
    .$if(words !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('name_id', 'in', namesLike([sql`plain_text(${contains(words)})`])),
          ...(number && number.length < 10 ? [eb('num', '=', Number(number))] : []),
        ]),
      ),
    );
  // Reads own quotes through their own indexes. A single condition with OR would scan all quotes of a large company.
  const newest = (own?: 'owner_id' | 'sales_rep_id') =>
    open
      .$if(own !== undefined, (query) => query.where(own ?? 'owner_id', '=', user.id))
      .orderBy('quote_date', 'desc')
      .orderBy('id', 'desc')
      .limit(BEST)
      .execute();
  const own = [...(await newest('owner_id')), ...(await newest('sales_rep_id'))].toSorted(
    (a, b) => b.quote_date.localeCompare(a.quote_date) || b.id - a.id,
  );
  const result = new Map([...own, ...(await newest())].map((row) => [row.id, row]));
  const rows = [...result.values()].slice(0, BEST);
  return rows.map((row) => ({
    id: row.id,
    number: quoteNumber(row.num, row.revision),
    facilityName: row.facility_name,
    statusId: StatusId.parse(row.status_id),
    totalAmount: row.total_amount,
    currnIdx: row.currn_idx,
  }));
}
