// Stores what the random companies of the proof of reports are entitled to and what is at risk, and works out what reports say of it.
import { seeded } from '#demo/random.server.ts';
import { insertRows } from '#demo/insert-rows.server.ts';
import { RISK_KINDS, type RiskKind } from '#addons/quotes-at-risk/risk-kinds.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { plusDays } from './deal-days.ts';
import type { Asked } from './expected-pipeline.server.ts';
import { type Catalog, type Cents, type Company, type Deal, lineTotal, nowOf } from './random-deals.server.ts';

type Risk = { quoteId: number; month: string; kind: RiskKind; contractId: number | null; difference: Cents };

export type ContractWorld = {
  /** Who may buy under which contract today. */
  entitled: { contractId: number; facilityId: number }[];
  /** What is not settled. `difference` is 0 where it does not count. */
  risks: Risk[];
  contractOf: Map<number, number>;
};

/** Puts facilities of the companies on rosters, some of them no longer, not yet or not at all, and some lines at risk. */
export async function storeContractWorld(
  db: Db,
  companies: readonly Company[],
  { catalog, today }: { catalog: Catalog; today: IsoDate },
): Promise<ContractWorld> {
  const random = seeded(4711);
  const contractOf = new Map(catalog.contractLines.map(({ id, contractId }) => [id, contractId]));
  const tierOf = new Map(catalog.contractLines.map(({ contractId, tierId }) => [contractId, tierId]));
  const entitled: ContractWorld['entitled'] = [];
  const rosters = [];
  const facilities = new Set(companies.flatMap(({ deals }) => deals.map(({ facility }) => facility.id)));
  for (const facilityId of facilities) {
    for (const [contractId, tierId] of tierOf) {
      if (random.chance(0.4)) continue;
      const ends = random.chance(0.5) ? null : plusDays(today, random.pick([-1, 0, 40]));
      const begins = plusDays(ends ?? today, ends === null && random.chance(0.2) ? 1 : -random.int(0, 300));
      const excluded = random.chance(0.1);
      const place = { contract_id: contractId, facility_id: facilityId, tier_id: excluded ? null : tierId };
      rosters.push({ ...place, excluded, valid_from: begins, valid_to: ends, ...ROSTER });
      const isNow = begins <= today && (ends ?? today) >= today && (catalog.endsOn.get(contractId) ?? '') >= today;
      if (isNow && !excluded) entitled.push({ contractId, facilityId });
    }
  }
  await insertRows(db, 'contract_roster', rosters);

  const risks: Risk[] = [];
  const rows = [];
  for (const deal of companies.flatMap(({ deals }) => deals)) {
    for (const line of deal.lines.filter(() => random.chance(0.3))) {
      const day = plusDays(today, random.int(-40, 80));
      const [counts, isSettled] = [random.chance(0.8), random.chance(0.2)];
      const kind = random.pick(RISK_KINDS);
      const contractId = contractOf.get(line.contractLineId ?? 0) ?? null;
      const difference = random.int(-90_000, 90_000);
      const settled_at = isSettled ? `${today}T12:00:00Z` : null;
      const row = { line_id: line.id, quote_id: deal.id, kind, day, contract_id: contractId, currn_idx: deal.currnIdx };
      rows.push({ ...row, ...RISK, difference: difference / 100, counts, settled_at });
      if (!isSettled)
        risks.push({ quoteId: deal.id, month: day.slice(0, 7), kind, contractId, difference: counts ? difference : 0 });
    }
  }
  await insertRows(db, 'quote_risk', rows);
  return { entitled, risks, contractOf };
}
const ROSTER = { member_id: '', loc_state: 'none', covers_children: false, version: 1 };
const RISK = { qty: 1, unit: 'EA', quoted: 1, price: 2, typed: false, was: '', now: '', settled_by: null, note: '' };

/** By contract: how many are entitled, and who of them never bought. `isNarrowed`: only facilities that a selected quote names. */
export function expectedNeverBought(
  { deals }: Company,
  request: Asked,
  {
    world,
    isNarrowed,
    contractId,
  }: { world: ContractWorld; isNarrowed: boolean; contractId: number | null | undefined },
): Record<number, { entitled: number; never: number[] }> {
  const named = new Set(deals.filter(request.selects).map(({ facility }) => facility.id));
  const expected: Record<number, { entitled: number; never: number[] }> = {};
  const subset = world.entitled.filter((candidate) => (contractId ?? candidate.contractId) === candidate.contractId);
  for (const [contract, places] of Map.groupBy(subset, (place) => place.contractId)) {
    const entitled = places.filter(({ facilityId }) => !isNarrowed || named.has(facilityId));
    const never = entitled.filter(({ facilityId }) => !deals.some((deal) => bought(deal, facilityId, contract, world)));
    if (never.length === 0) continue;
    expected[contract] = {
      entitled: entitled.length,
      never: never.map((entry) => entry.facilityId).toSorted((a, b) => a - b),
    };
  }
  return expected;
}

const bought = (deal: Deal, facilityId: number, contractId: number, { contractOf }: ContractWorld) =>
  deal.facility.id === facilityId &&
  nowOf(deal).status === 'Won' &&
  deal.lines.some((line) => line.counts && contractOf.get(line.contractLineId ?? 0) === contractId);

/** What is open under each contract that ends soon, whatever the period. */
export function expectedExpiring(
  { deals }: Company,
  request: Asked,
  { world, ending }: { world: ContractWorld; ending: readonly number[] },
): Record<number, { count: number; amount: Cents }> {
  const expected: Record<number, { count: number; amount: Cents }> = {};
  for (const contractId of ending) {
    const open = deals
      .filter(request.selects)
      .filter((deal) => !['Won', 'Lost', 'Cancelled'].includes(nowOf(deal).status));
    const nets = open
      .map(({ lines }) =>
        lines.filter(
          (line) => line.counts && request.takes(line) && world.contractOf.get(line.contractLineId ?? 0) === contractId,
        ),
      )
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.reduce((sum, line) => sum + lineTotal(line), 0));
    if (nets.length > 0) expected[contractId] = { count: nets.length, amount: nets.reduce((a, b) => a + b, 0) };
  }
  return expected;
}

/** By month and kind. */
export function expectedRisks(
  { deals }: Company,
  request: Asked,
  { world, contractId }: { world: ContractWorld; contractId: number | null | undefined },
): Record<string, { quotes: number; difference: Cents }> {
  const selected = new Set(deals.filter(request.selects).map(({ id }) => id));
  const subset = world.risks.filter(
    (risk) => selected.has(risk.quoteId) && risk.contractId === (contractId ?? risk.contractId),
  );
  return Object.fromEntries(
    [...Map.groupBy(subset, ({ month, kind }) => `${month} ${kind}`)].map(([name, all]) => [
      name,
      {
        quotes: new Set(all.map(({ quoteId }) => quoteId)).size,
        difference: all.reduce((sum, { difference }) => sum + difference, 0),
      },
    ]),
  );
}
