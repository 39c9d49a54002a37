// Implements the Contract calls. The longer ones are in other files of this folder.
import { sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import type { Contract, HotSheet } from './contracts.contract.ts';
import { linePage } from './lines/line-list.server.ts';
import { contractOfLine, pricesOfLine, saveLine, savePrice } from './lines/line-record.server.ts';
import { contractChoices, contractPage, contractsAsCsv } from './list/contract-list.server.ts';
import { contractQuotes } from './quotes/contract-quotes.server.ts';
import { contractHead, contractTiers, pricedTiers, type Reading } from './record/contract-head.server.ts';
import { contractToEdit, FEE_LABEL, saveContract } from './record/contract-record.server.ts';
import { saveTier } from './record/tier-record.server.ts';
import { keepsContracts } from './sight/contract-roles.ts';
import { requireContract, requireContracts } from './sight/contract-sight.server.ts';

export const contractAnswers: Answers<typeof Contract> = {
  Search: async (context, criteria) => contractPage({ ...context, day: await requireContracts(context) }, criteria),

  ExportContracts: async (context, criteria) =>
    contractsAsCsv({ ...context, day: await requireContracts(context) }, criteria),

  GetContractChoices: async (context) => contractChoices({ ...context, day: await requireContracts(context) }),

  /** Throws 404 for a contract that the user may not see. Leaves out the prices of tiers that the user may not see. */
  GetLines: async (context, { day: request, ...criteria }) => {
    const { db, user } = context;
    const { day: today } = await requireContract(context, criteria.contractId);
    const tiers = pricedTiers(user, await contractTiers({ db, user, day: today }, criteria.contractId));
    const day = request || today;
    return { ...(await linePage(db, criteria, day, tiers)), day };
  },

  /** Throws 404 for a line of a contract that the user may not see. Leaves out the prices of tiers that the user may not see. */
  GetLinePrices: async (context, { lineId }) => {
    const { db, user } = context;
    await requireContracts(context);
    const contractId = await contractOfLine(db, lineId);
    const { day } = await requireContract(context, contractId);
    const tiers = pricedTiers(user, await contractTiers({ db, user, day }, contractId));
    return pricesOfLine(db, lineId, tiers);
  },

  GetContractQuotes: async (context, criteria) => {
    await requireContract(context, criteria.contractId);
    return contractQuotes(context.db, context.user, criteria);
  },

  GetHotSheet: async (context, { contractId }) => {
    const { db, user } = context;
    return hotSheet({ db, user, day: await requireContracts(context) }, contractId);
  },

  GetContractHistory: async (context, { contractId, ...page }) => {
    await requireContract(context, contractId);
    return contractHistory(context, contractId, page);
  },

  PopulateContractEdit: async (context, { id }) => contractToEdit(context.db, id ?? 0, await requireContracts(context)),

  Save: async (context, input) => saveContract({ ...context, today: await requireContracts(context) }, input),

  SaveTier: async (context, input) => {
    await requireContracts(context);
    return { tier: await saveTier(context, input) };
  },

  SaveLine: async (context, input) => {
    await requireContracts(context);
    return { line: await saveLine(context, input) };
  },

  SavePrice: async (context, input) => savePrice({ ...context, today: await requireContracts(context) }, input),
};

/** The number of items that fit on the hot sheet. */
const LINES_OF_HOT_SHEET = 25;

/**
 * Reads a contract's hot sheet: head, tiers, best-selling items, their current promotions, and the contact. Throws 404 for a draft, and for a
 * contract that the user may not see. The hot sheet never shows the administrative fee and the notes.
 */
async function hotSheet(reading: Reading, contractId: number): Promise<HotSheet> {
  const { db, day } = reading;
  const { adminFeePct: _fee, notes: _notes, ...contract } = await contractHead(reading, contractId);
  if (contract.state === 'Draft') throw notFound('hot sheet');
  const best = {
    contractId,
    page: 1,
    pageSize: LINES_OF_HOT_SHEET,
    sort: { field: 'sellingRank', dir: 'desc' as const },
    running: true,
  };
  const lines = await linePage(db, best, day, null);
  const itemIds = lines.records.map(({ itemId }) => itemId);
  const promotions = await promotionsFor(db, itemIds, { currnIdx: contract.currnIdx, date: day });
  const { name, phone } = await loadCompany(db);
  return {
    contract,
    tiers: await contractTiers(reading, contractId),
    lines: lines.records,
    lineCount: lines.total,
    promotions: itemIds.flatMap((id) => promotions.get(id) ?? []),
    company: { name, phone },
    asOf: day,
  };
}

type HistoryPart = 'contract' | 'contractTier' | 'contractLine';
type HistoryPage = { page: number; pageSize: number };

/** Reads the history of a contract, its tiers and its lines. Newest first. Only users who edit contracts see changes of the administrative fee. */
async function contractHistory(
  { db, user }: { db: Db; user: Caller },
  contractId: number,
  { page, pageSize }: HistoryPage,
) {
  const query = db
    .selectFrom('record_event')
    .select(['id', 'at', 'actor', 'action', 'comment', 'changes', 'record_name as name'])
    .select((eb) => eb.ref('record_type').$castTo<HistoryPart>().as('recordType'))
    .where(
      sql<boolean>`id in (
        select id from record_event where record_type = 'contract' and record_id = ${contractId}
        union all select e.id from contract_tier t join record_event e on e.record_type = 'contractTier' and e.record_id = t.id
          where t.contract_id = ${contractId}
        union all select e.id from contract_line l join record_event e on e.record_type = 'contractLine' and e.record_id = l.id
          where l.contract_id = ${contractId})`,
    );
  const order = { sorts: {}, key: sql`id`, first: { field: 'id', dir: 'desc' as const }, stopsCounting: true };
  const { records, ...counts } = await pageFrom(query, { page, pageSize }, order);
  const visible = (changes: FieldChange[]) =>
    keepsContracts(user) ? changes : changes.filter(({ field }) => field !== FEE_LABEL);
  return {
    records: records.map((event) => ({ ...event, changes: visible(event.changes as FieldChange[]) })),
    ...counts,
  };
}
