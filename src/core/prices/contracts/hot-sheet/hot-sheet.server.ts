// Reads a contract's hot sheet: head, tiers, best-selling items, the promotions that run on them, and the contact.
import { notFound } from '#platform/api/http-error.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import type { HotSheet } from '../contracts.contract.ts';
import { linePage } from '../lines/line-list.server.ts';
import { contractHead, contractTiers, type Reading } from '../record/contract-head.server.ts';

/** The number of items that fit on the page. */
const TOP = 25;

/** Throws 404 for a draft, and for a contract that the person may not see. The hot sheet never shows the administrative fee and the notes. */
export async function hotSheet(reading: Reading, contractId: number): Promise<HotSheet> {
  const { db, day } = reading;
  const { adminFeePct: _fee, notes: _notes, ...contract } = await contractHead(reading, contractId);
  if (contract.state === 'Draft') throw notFound('hot sheet');
  const best = {
    contractId,
    page: 1,
    pageSize: TOP,
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
