// Works out what a random company quoted, won and lost under contracts and tiers, and of each item, for the proof of reports.
import { type Asked, collector, type Figures } from './expected-pipeline.server.ts';
import { type Company, type DealLine, lineTotal, nowOf } from './random-deals.server.ts';

/** `contractOf`: the contract of a contract line. */
export function expectedContractUse({ deals }: Company, request: Asked, contractOf: Map<number, number>): Figures {
  const { figures, put } = collector();
  for (const deal of deals.filter(request.selects)) {
    const { status } = nowOf(deal);
    if (status === 'Cancelled' || deal.quoteDate < request.from || deal.quoteDate > request.to) continue;
    const lines = deal.lines.filter((line) => line.counts && request.takes(line));
    const net = (list: readonly DealLine[]) => list.reduce((sum, line) => sum + lineTotal(line), 0);
    const outcomes = ['quoted', ...(status === 'Won' ? ['won'] : status === 'Lost' ? ['lost'] : [])];
    for (const outcome of outcomes) {
      for (const [key, group] of Map.groupBy(lines, ({ itemId }) => itemId))
        if (key !== null) put(`item:${outcome}:${key}`, deal, net(group));
      if (outcome === 'lost') continue;
      const under = lines.filter(({ contractLineId }) => contractLineId !== null);
      for (const [key, group] of Map.groupBy(under, ({ contractLineId }) => contractOf.get(contractLineId ?? 0)))
        put(`contract:${outcome}:${key}`, deal, net(group));
      for (const [key, group] of Map.groupBy(under, ({ tierId }) => tierId))
        put(`tier:${outcome}:${key}`, deal, net(group));
    }
  }
  return figures;
}

/** The net prices of an item per unit, one for each facility: the newest. In ten-thousandths. */
export function expectedSpread({ deals }: Company, request: Asked, itemId: number) {
  const newest = new Map<number, { day: string; line: number; price: number }>();
  for (const deal of deals.filter(request.selects)) {
    if (nowOf(deal).status === 'Cancelled' || deal.quoteDate < request.from || deal.quoteDate > request.to) continue;
    for (const line of deal.lines) {
      const isPriced = line.counts && request.takes(line) && line.type !== 'free' && line.unit !== null;
      if (!isPriced || line.itemId !== itemId) continue;
      const first = { day: deal.quoteDate, line: line.id, price: Math.round((lineTotal(line) * 100) / line.qty) };
      const known = newest.get(deal.facility.id);
      if (!known || first.day > known.day || (first.day === known.day && first.line > known.line))
        newest.set(deal.facility.id, first);
    }
  }
  const prices = [...newest.values()].map(({ price }) => price).toSorted((a, b) => a - b);
  if (prices.length === 0) return null;
  const at = (part: number) => prices[Math.max(1, Math.ceil(part * prices.length)) - 1] ?? 0;
  return { low: at(0), median: at(0.5), high: at(1), facilities: prices.length };
}
