// What a contract's hot sheet says: head, tiers, the items that sell best, the promotions that run on them, whom to call.
import { notFound } from '#api/http-error.ts';
import { loadCompany } from '#features/company/company/company.server.ts';
import { promotionsFor } from '#features/prices/promotions/promotions.server.ts';
import type { HotSheet } from '../contracts.contract.ts';
import { linePage } from '../lines/line-list.server.ts';
import { contractHead, contractTiers, type Reading } from '../record/contract-head.server.ts';

/** So many items fit on the page. */
const TOP = 25;

/** 404 for a contract out of sight, and for a draft, which holds for nobody. The administrative fee and the notes never stand on it. */
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
