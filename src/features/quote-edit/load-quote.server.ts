// All a board shows of a quote, in few queries, for a reader with or without the internal figures.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { Approval, FiredRule } from '#features/approvals/approval.ts';
import { approvalOf } from '#features/approvals/content-hash.server.ts';
import { rulesThatFire } from '#features/approvals/evaluate.server.ts';
import { eventsOf, type PastEvent } from '#features/quotes/events.server.ts';
import { isOwnerSide, type QuoteRecord, requireQuote, type Viewer } from '#features/quotes/sight.server.ts';
import { OPEN_STATUSES, quoteNumber, StatusId } from '#features/quotes/status.ts';
import { allowedActions, type WorkflowFacts } from '#features/quotes/workflow.ts';
import { linesOf, type QuoteState, stateOf } from '#features/quotes/workflow-facts.server.ts';
import { addDays, formatDate } from '#shared/dates.ts';
import { compare } from '#shared/money.ts';
import { hasRole, isInternal, type Role, seesInternalFigures } from '#shared/roles.ts';
import { type EditRights, editRights } from './may-edit.ts';
import type { QuoteEditData, QuoteFile, QuoteRevision } from './quote-edit.contract.ts';
import type { Line } from './quote-lines.server.ts';
import { type ReadContext, type View, viewLines, viewQuote } from './quote-view.server.ts';
import { type ItemFactsById, priceEnds } from './recalculate.server.ts';

/** The view a person's saves are answered in. */
export function viewOf(user: Pick<Viewer, 'roles'>): View {
  return seesInternalFigures(user) ? 'internal' : 'public';
}

/** All of a quote in sight, else 404. 'internal' needs a reader who sees the internal figures; others get the public view. */
export async function loadQuoteEditData(context: ReadContext, quoteId: number, view: View): Promise<QuoteEditData> {
  const quote = await requireQuote(context.db, context.user, quoteId);
  return readQuote(context, quote, view);
}

/** The same of a quote that is already known to be in sight, as an answer to who just saved it. */
export async function readQuote(context: ReadContext, quote: QuoteRecord, asked: View): Promise<QuoteEditData> {
  const { db, services, user } = context;
  const view = asked === 'internal' ? viewOf(user) : 'public';
  const rows = await linesOf(db, quote.id);
  const lines = rows as unknown as Line[];
  const state = await stateOf(db, services, user, quote, rows);
  const around = await readAround(db, quote);
  const items: ItemFactsById = new Map();
  const seen = await viewLines(context, quote, lines, view, items);
  const events = await eventsOf(db, quote.id, { internal: view === 'internal', limit: 300 });
  const names = new Map(around.people.map(({ id, name }) => [id, name]));
  const { locked: _locked, ...editable } = rightsOf(user, state);
  return {
    quote: viewQuote(quote, lines, view, { names, expired: state.facts.expired, docId: docIdOf(around, quote) }),
    items: seen,
    allowedActions: allowedActions(state.facts),
    editable,
    ...(await approvalsOf(db, user, state, view)),
    files: around.files.map((file) => ({ ...file, uploadedAt: instant(file.uploadedAt) })),
    events: events.map(shortened),
    revisions: around.revisions.map((revision) => ({ ...revision, sentAt: instant(revision.sentAt) })),
    warnings: warningsOf(quote, lines, items, around.openQuotes),
  };
}

/** What this person may edit now. */
export function rightsOf(
  user: Viewer,
  { quote, facts }: { quote: QuoteRecord; facts: Pick<WorkflowFacts, 'statusId' | 'pending'> },
): EditRights {
  return editRights({
    statusId: facts.statusId,
    pending: facts.pending,
    user,
    ownerSide: isOwnerSide(user, quote),
    managesRegion:
      hasRole(user, 'salesQuoteManager') && quote.region_id !== null && user.regionIds.includes(quote.region_id),
  });
}

/**
 * The newest request and the rules that would fire. For a reader who cannot ask for approval they are those that would stop a
 * representative inside; without the internal figures, margins and floors are not told.
 */
export async function approvalsOf(
  db: Db,
  user: Pick<Viewer, 'roles'>,
  { quote, items, request, judgement }: QuoteState,
  view: View,
): Promise<{ approval: Approval | null; approvalNeeded: FiredRule[] }> {
  const ASKS_INSIDE: readonly Role[] = ['csrep', 'insiderep'];
  const asks = isInternal(user) || hasRole(user, 'salesQuoteManager');
  const fired = asks ? judgement.fired : await rulesThatFire(db, quote, items, ASKS_INSIDE);
  const approval = request ? approvalOf(request) : null;
  if (view === 'internal') return { approval, approvalNeeded: fired };
  return {
    approval: approval && { ...approval, rules: approval.rules.map(withoutFigures) },
    approvalNeeded: fired.map(withoutFigures),
  };
}

function withoutFigures(rule: FiredRule): FiredRule {
  if (rule.metric === 'marginPct') return { ...rule, figure: 0, limit: 0, text: 'Margin below its limit' };
  if (rule.metric === 'underFloor') return { ...rule, figure: 0, limit: 0 };
  return rule;
}

type Around = {
  people: { id: number; name: string }[];
  files: QuoteFile[];
  revisions: QuoteRevision[];
  /** Other open quotes of the facility, newest first. */
  openQuotes: { num: number; revision: number }[];
};

/** Names, files, revisions and other open quotes of the facility, in one query. Instants come as the database writes them. */
async function readAround(db: Db, quote: QuoteRecord): Promise<Around> {
  const people = [quote.sales_rep_id, quote.cs_rep_id, quote.is_rep_id, quote.owner_id, quote.assignee_id];
  const rows = await sql<Around>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', full_name)), '[]')
         from app_user where id = any(${people.filter((id) => id !== null)}::int[])) as people,
      (select coalesce(jsonb_agg(jsonb_build_object('id', qf.id, 'name', f.name, 'mediaType', f.media_type, 'size', f.size,
                'visibleToCustomer', qf.visible_to_customer, 'uploadedBy', coalesce(u.full_name, ''), 'uploadedAt', qf.uploaded_at)
                order by qf.id), '[]')
         from quote_file qf join file f on f.id = qf.file_id left join app_user u on u.id = qf.uploaded_by
        where qf.quote_id = ${quote.id} and qf.removed_at is null) as files,
      (select coalesce(jsonb_agg(jsonb_build_object('revision', r.revision, 'docId', r.doc_id, 'sentAt', r.sent_at,
                'sentBy', coalesce(u.full_name, ''), 'totalAmount', r.total_amount, 'validUntil', r.valid_until,
                'state', case when r.accepted_at is not null then 'Accepted' when r.declined_at is not null then 'Declined'
                              when r.revoked_at is not null then 'Revoked' when r.superseded_at is not null then 'Superseded'
                              else 'Current' end) order by r.revision desc), '[]')
         from quote_revision r left join app_user u on u.id = r.sent_by
        where r.quote_id = ${quote.id}) as revisions,
      (select coalesce(jsonb_agg(jsonb_build_object('num', o.num, 'revision', o.revision)), '[]')
         from (select num, revision from quote
                where facility_id = ${quote.facility_id} and id <> ${quote.id} and status_id = any(${OPEN_STATUSES}::text[])
                  and quote_date >= ${addDays(quote.quote_date, -365)}
                order by quote_date desc, id desc limit 5) o) as "openQuotes"`.execute(db);
  const [around] = rows.rows;
  if (!around) throw new Error('a query without a table answers one row');
  return around;
}

function docIdOf({ revisions }: Around, quote: QuoteRecord): string | null {
  const own = revisions.find((one) => one.revision === quote.revision && one.state !== 'Revoked');
  return own?.docId ?? null;
}

function instant(text: string): string {
  return new Date(text).toISOString();
}

const SHOWN_CHANGES = 60;

/** A paste of a thousand lines is one event; its first changes tell enough. */
function shortened(event: PastEvent): PastEvent {
  if (event.changes.length <= SHOWN_CHANGES) return event;
  const more = { field: `${event.changes.length - SHOWN_CHANGES} more changes`, before: '', after: '' };
  return { ...event, changes: [...event.changes.slice(0, SHOWN_CHANGES), more] };
}

function warningsOf(
  quote: QuoteRecord,
  lines: readonly Line[],
  items: ItemFactsById,
  openQuotes: Around['openQuotes'],
): string[] {
  if (!OPEN_STATUSES.includes(StatusId.parse(quote.status_id))) return [];
  const warnings: string[] = [];
  if (openQuotes.length > 0) {
    const numbers = openQuotes.map((other) => quoteNumber(other.num, other.revision)).join(', ');
    warnings.push(`This facility has other open quotes: ${numbers}.`);
  }
  const active = lines.filter((line) => line.active && line.type === 'item');
  const say = (which: readonly Line[], sentence: (names: string) => string) => {
    if (which.length > 0) warnings.push(sentence(namesOf(which)));
  };
  say(active.filter(contractAboveAccount), (names) => `The contract price is above the account price: ${names}.`);
  const facts = (line: Line) => (line.item_id === null ? undefined : items.get(line.item_id));
  say(
    active.filter((line) => facts(line)?.status === 'Discontinued'),
    (names) => `Discontinued: ${names}.`,
  );
  say(
    active.filter((line) => facts(line)?.status === 'Active' && !facts(line)?.visible),
    (names) => `No longer offered in quotes: ${names}.`,
  );
  if (priceEnds(lines) === quote.valid_until) {
    warnings.push(
      `Valid until ${formatDate(quote.valid_until)}, when the first price or promotion of this quote ends.`,
    );
  }
  return warnings;
}

/** Steps of the proof tell: a contract price that is taken, and an account price below it. */
function contractAboveAccount(line: Line): boolean {
  if (line.contract_line_id === null || line.contract_price === null) return false;
  const account = line.price_proof?.find(({ step }) => step === 'Account')?.amount ?? null;
  return account !== null && compare(line.contract_price, account) > 0;
}

function namesOf(lines: readonly Line[]): string {
  const shown = lines.slice(0, 5).map((line) => `line ${line.line_no} (${line.item_number})`);
  return [...shown, ...(lines.length > 5 ? [`and ${lines.length - 5} more`] : [])].join(', ');
}
