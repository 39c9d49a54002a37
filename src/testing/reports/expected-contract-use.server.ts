// Works out what a random company quoted, won and lost under contracts and tiers, and of each item, for the proof of reports.
import { type Asked, collector, type Figures } from './expected-pipeline.server.ts';
import { type Company, type DealLine, lineTotal, nowOf } from './random-deals.server.ts';

/** `contractOf`: the contract of a contract line. */
export function expectedContractUse({ deals }: Company, asked: Asked, contractOf: Map<number, number>): Figures {
  const { figures, put } = collector();
  for (const deal of deals.filter(asked.selects)) {
    const { status } = nowOf(deal);
    if (status === 'Cancelled' || deal.quoteDate < asked.from || deal.quoteDate > asked.to) continue;
    const lines = deal.lines.filter((line) => line.counts && asked.takes(line));
    const net = (some: readonly DealLine[]) => some.reduce((sum, line) => sum + lineTotal(line), 0);
    const outcomes = ['quoted', ...(status === 'Won' ? ['won'] : status === 'Lost' ? ['lost'] : [])];
    for (const outcome of outcomes) {
      for (const [key, some] of Map.groupBy(lines, ({ itemId }) => itemId))
        if (key !== null) put(`item:${outcome}:${key}`, deal, net(some));
      if (outcome === 'lost') continue;
      const under = lines.filter(({ contractLineId }) => contractLineId !== null);
      for (const [key, some] of Map.groupBy(under, ({ contractLineId }) => contractOf.get(contractLineId ?? 0)))
        put(`contract:${outcome}:${key}`, deal, net(some));
      for (const [key, some] of Map.groupBy(under, ({ tierId }) => tierId))
        put(`tier:${outcome}:${key}`, deal, net(some));
    }
  }
  return figures;
}
