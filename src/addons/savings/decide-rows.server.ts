// Stores what the user decides about rows: an item, or no bid. Accepted numbers are remembered for the next file.
import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { type FieldError, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { rememberFor } from '#core/catalog/cross-references/remember-numbers.server.ts';
import type { Decimal } from '#platform/shared/money.ts';
import { rowChanges, recordEvent } from './analysis-history.server.ts';
import { rowsById } from './analysis-rows.server.ts';
import { type AnalysisRecord, requireAnalysis } from './analysis-sight.server.ts';
import { settleState } from './analysis-state.server.ts';
import { getAnalysis } from './analysis-view.server.ts';
import { priceRows } from './comparison/price-analysis-rows.server.ts';
import { agreeOnUnit } from './matching/agree-on-unit.server.ts';
import type { Candidate, KnownItem } from './matching/match-row.server.ts';
import { knownItems } from './matching/match-rows.server.ts';
import type { Savings } from './savings.contract.ts';

type By = { db: Db; user: Caller; services: Services };
type Input = ParsedInputOf<typeof Savings.DecideRows>;
type Row = Awaited<ReturnType<typeof lockRows>>[number];

/** The match of a row as it is stored. */
type Match = Pick<Candidate, 'confidence' | 'score' | 'reasons'> & {
  id: number;
  item_id: number | null;
  our_unit: string;
  their_eaches: Decimal | null;
};

/**
 * Changes all rows or none. Throws 409 while the file is read and if another user changed a row, and 422 by row if an item or a unit is
 * missing.
 */
export async function decideRows(context: By, input: Input): Promise<OutputOf<typeof Savings.DecideRows>> {
  const { db, user, services } = context;
  const analysis = await openAnalysis(db, user, input.id);
  const rows = await lockRows(db, analysis.id, input.rows, input.sameNumber);
  const matches = input.decision === 'accept' ? await accepted(db, rows, input) : rows.map(proposed);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const priced = await priceRows(
    db,
    analysis,
    matches.map((match) => {
      const row = byId.get(match.id);
      // A typed price applies only to one unit of one item.
      const isSame = row?.item_id === match.item_id && row.our_unit === match.our_unit;
      const { qty_year = null, price = null, price_each = null } = row ?? {};
      return { ...match, qty_year, price, price_each, typed_price: isSame ? row.typed_price : null };
    }),
  );
  await sql`
    update savings_row r set decision = ${input.decision === 'accept' ? 'accepted' : input.decision},
        no_bid_reason = ${input.decision === 'no-bid' ? input.reason : ''},
        decided_by = ${input.decision === 'open' ? null : user.id}::int,
        decided_at = ${input.decision === 'open' ? null : services.clock.now()}::timestamptz,
        confidence = m.confidence, item_id = m.item_id, our_unit = m.our_unit, their_eaches = m.their_eaches,
        score = m.score, reasons = array(select jsonb_array_elements_text(m.reasons)), our_eaches = m.our_eaches,
        our_price = m.our_price, price_source = coalesce(m.price_source, ''),
        price_problem = coalesce(m.price_problem, ''), cost = m.cost, their_each = m.their_each,
        our_each = m.our_each, their_year = m.their_year, our_year = m.our_year, cost_year = m.cost_year,
        tiers = m.tiers, version = r.version + 1,
        typed_price = case when r.item_id is not distinct from m.item_id
          and r.our_unit = m.our_unit then r.typed_price end,
          price_reason = case when r.item_id is not distinct from m.item_id and r.our_unit = m.our_unit then r.price_reason else '' end
      from jsonb_to_recordset(${JSON.stringify(matches.map((match, at) => ({ ...match, ...priced[at] })))}::jsonb) as m(id int,
        confidence text, item_id int, our_unit text, their_eaches numeric, score numeric, reasons jsonb,
        our_eaches numeric, our_price numeric, price_source text, price_problem text, cost numeric,
        their_each numeric, our_each numeric, their_year numeric, our_year numeric, cost_year numeric, tiers jsonb)
     where r.id = m.id`.execute(db);
  if (input.decision === 'accept') await remember({ db, user }, analysis, input, rows, matches);
  await recordEvent(db, user, analysis, 'Decide rows', await rowChanges(db, rows, analysis.currn_idx));
  await settleState(db, analysis.id);
  const ids = matches.map(({ id }) => id);
  return { rows: await rowsById(context, analysis.id, ids), analysis: await getAnalysis({ db, user }, analysis.id) };
}

/** The locked analysis. Throws 409 while its file is being read. */
export async function openAnalysis(db: Db, user: Caller, id: number): Promise<AnalysisRecord> {
  const analysis = await requireAnalysis(db, user, id, { lock: true });
  if (analysis.state === 'reading')
    throw new HttpError(409, 'The file is still being read. Try again when its rows are matched.');
  if (analysis.state === 'columns' || analysis.state === 'failed')
    throw new HttpError(409, 'The file has not been read. Check its columns, or upload another file.');
  return analysis;
}

/**
 * Locks the rows at the version that the caller read, and on request the other rows with the same number. Throws 404 for rows of another analysis.
 */
export async function lockRows(
  db: Db,
  analysisId: number,
  read: readonly { id: number; version: number }[],
  sameNumber = false,
) {
  const versions = new Map(read.map(({ id, version }) => [id, version]));
  const named = await db
    .selectFrom('savings_row')
    .selectAll()
    .where('analysis_id', '=', analysisId)
    .where('id', 'in', [...versions.keys()])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (named.length < versions.size) throw notFound('row');
  const stale = named.find(({ id, version }) => versions.get(id) !== version);
  if (stale) throw new HttpError(409, `Someone else has changed row ${stale.row_no}. Review it, then decide.`);
  const numbers = sameNumber ? [...new Set(named.map((row) => row.their_number).filter(Boolean))] : [];
  if (numbers.length === 0) return named;
  const others = await db
    .selectFrom('savings_row')
    .selectAll()
    .where('analysis_id', '=', analysisId)
    .where('their_number', 'in', numbers)
    .where('id', 'not in', [...versions.keys()])
    .orderBy('id')
    .forUpdate()
    .execute();
  return [...named, ...others];
}

/** The original proposal for the row. */
function proposed(row: Row): Match {
  const [best] = row.candidates as Candidate[];
  return {
    id: row.id,
    confidence: best?.confidence ?? 'none',
    score: best?.score ?? 0,
    reasons: best?.reasons ?? [],
    item_id: best?.itemId ?? null,
    our_unit: best?.unit ?? '',
    their_eaches: row.eaches ?? best?.eaches ?? null,
  };
}

async function accepted(db: Db, rows: readonly Row[], { itemId, unit }: Input): Promise<Match[]> {
  const items = await knownItems(
    db,
    rows.map((row) => itemId ?? row.item_id).filter((id) => id !== null),
  );
  const errors: FieldError[] = [];
  const matches = rows.flatMap((row, at) => {
    const item = items.get(itemId ?? row.item_id ?? 0);
    const refuse = (message: string): Match[] => {
      errors.push({ path: `rows.${at}`, message: `Row ${row.row_no}: ${message}` });
      return [];
    };
    if (!item) return refuse('Choose an item.');
    if (item.notOffered) return refuse(item.notOffered);
    const match = matchOf(row, item, unit ?? '');
    return match.our_unit === '' ? refuse(`Choose the unit of measure for ${item.item_number}.`) : [match];
  });
  if (errors.length > 0) throw invalid(errors);
  return matches;
}

/**
 * The match with the unit that the user typed, else the proposed one, else the one that agrees. With a typed unit, the size of the customer's unit is
 * derived from it if it is unknown.
 */
function matchOf(row: Row, item: KnownItem, typed: string): Match {
  const known = (row.candidates as Candidate[]).find(({ itemId }) => itemId === item.id);
  const agreed = agreeOnUnit(row, item);
  const wanted = typed || known?.unit || (row.item_id === item.id ? row.our_unit : '') || agreed.unit;
  const ours = item.units.find(({ unit }) => unit.toLowerCase() === wanted.toLowerCase());
  return {
    id: row.id,
    confidence: known?.confidence ?? 'none',
    score: known?.score ?? 0,
    reasons: known?.reasons ?? ['Chosen manually.'],
    item_id: item.id,
    our_unit: ours?.unit ?? '',
    their_eaches: row.eaches ?? known?.eaches ?? agreed.eaches ?? ours?.factor ?? null,
  };
}

/** The customer's own item number applies only at this facility. The user chooses for whom numbers of manufacturers and distributors apply. */
async function remember(
  { db, user }: { db: Db; user: Caller },
  { id, facility_id: facilityId, name }: AnalysisRecord,
  { remember: scope, kind }: Input,
  rows: readonly Row[],
  matches: readonly Match[],
): Promise<void> {
  const itemOf = new Map(matches.map(({ id, item_id: itemId }) => [id, itemId]));
  // A number of a split row means several items, so it must not be remembered.
  const split = await db
    .selectFrom('savings_row')
    .select('row_no')
    .where('analysis_id', '=', id)
    .where('part', '>', 0)
    .execute();
  const isSplit = new Set(split.map((row) => row.row_no));
  const numbers = rows.flatMap((row) => {
    const itemId = itemOf.get(row.id);
    if (!itemId || isSplit.has(row.row_no)) return [];
    const rowNumbers = [
      { maker: '', number: row.item_no, scope: 'Facility' as const },
      { maker: row.distributor, number: row.catalog_no, scope },
      { maker: row.maker, number: row.maker_no, scope },
    ];
    return rowNumbers
      .filter(({ number }) => number !== '')
      .map((rowNumber) => ({
        maker: rowNumber.maker,
        number: rowNumber.number,
        itemId,
        unit: '',
        remember: scope && rowNumber.scope ? { kind, scope: rowNumber.scope } : null,
      }));
  });
  if (numbers.length > 0)
    await rememberFor(db, user, { facilityId, source: `Savings: ${name}`.slice(0, 200) }, numbers);
}
