// Works out the pivot of a random company, for the proof of reports.
import { type Asked, collector, type Figures } from './expected-pipeline.server.ts';
import { listOf } from './expected-won-lost.server.ts';
import {
  type Cents,
  type Company,
  type Deal,
  type DealLine,
  lineTotal,
  nowOf,
  subtotalOf,
} from './random-deals.server.ts';

export type Crossed = { rows: string; columns: string | null; measure: string };

/** What each cell and total shows, and the quotes behind it with what each adds. */
export type ExpectedPivot = { values: Record<string, number>; figures: Figures };

type Part = { net: Cents; list: Cents; costed: Cents; cost: Cents; hasCost: boolean; total: Cents };

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0);
const LINES = ['class', 'contract'];

/** `contractOf`: the contract of a contract line. */
export function expectedPivot(
  { regionId, deals }: Company,
  request: Asked,
  { crossed, contractOf }: { crossed: Crossed; contractOf: Map<number, number> },
): ExpectedPivot {
  const { rows, columns, measure } = crossed;
  const { figures, put } = collector();
  /** What percentages are of, and the quotes won. */
  const bases = new Map<string, Cents>();
  const won = new Map<string, Set<number>>();
  const key = (dimension: string, deal: Deal, line: DealLine | null): string => {
    const { status, loss } = nowOf(deal);
    const keys: Record<string, string | number | null | undefined> = {
      status,
      month: deal.quoteDate.slice(0, 7),
      region: regionId,
      territory: deal.territoryId,
      rep: deal.repId,
      facility: deal.facility.id,
      trade: deal.facility.trade,
      class: line && request.classOf(line),
      contract: line && contractOf.get(line.contractLineId ?? 0),
      reason: loss?.reason,
      competitor: loss?.competitor.toLowerCase(),
    };
    return String(keys[dimension] || 'none');
  };
  const ofLines = LINES.includes(rows) || LINES.includes(columns ?? '');
  for (const deal of deals.filter(request.selects)) {
    const { status } = nowOf(deal);
    if (status === 'Cancelled' || deal.quoteDate < request.from || deal.quoteDate > request.to) continue;
    if (measure === 'won' && status !== 'Won') continue;
    if (measure === 'rate' && status !== 'Won' && status !== 'Lost') continue;
    const lines = deal.lines.filter(({ counts }) => counts);
    const parts: [DealLine | null, Part][] = ofLines
      ? lines.filter(request.takes).map((line) => [line, partOf([line], lineTotal(line))])
      : [[null, { ...partOf(lines, nowOf(deal).total), list: listOf(deal), net: subtotalOf(deal.lines) }]];
    for (const [line, part] of parts) {
      if (measure === 'margin' && !part.hasCost) continue;
      const [row, column] = [key(rows, deal, line), columns === null ? null : key(columns, deal, line)];
      const groups = new Set(
        [row, ''].flatMap((entry) => ['', ...(column === null ? [] : [column])].map((other) => `${entry}\n${other}`)),
      );
      for (const group of groups) {
        const [first = '', other = ''] = group.split('\n').map(encodeURIComponent);
        const slice = `pivot:${measure}:${rows}:${first}:${columns ?? ''}:${other}`;
        const amounts: Record<string, Cents> = { discount: part.list - part.net, margin: part.costed - part.cost };
        const before = figures.get(slice)?.get(deal.id) ?? 0;
        put(slice, deal, before + (amounts[measure] ?? part.total));
        bases.set(slice, (bases.get(slice) ?? 0) + (measure === 'discount' ? part.list : part.costed));
        if (status === 'Won') won.set(slice, (won.get(slice) ?? new Set()).add(deal.id));
      }
    }
  }
  const values = [...figures].map(([slice, members]): [string, number | null] => {
    const amount = sum([...members.values()]);
    const base = bases.get(slice) ?? 0;
    if (measure === 'quotes') return [slice, members.size];
    if (measure === 'rate') return [slice, percent(won.get(slice)?.size ?? 0, members.size)];
    if (measure === 'discount' || measure === 'margin') return [slice, base > 0 ? percent(amount, base) : null];
    return [slice, amount / 100];
  });
  return {
    values: Object.fromEntries(values.filter(([, value]) => value !== null)) as Record<string, number>,
    figures,
  };
}

function partOf(lines: readonly DealLine[], total: Cents): Part {
  const priced = lines.filter(({ cost, unit }) => cost !== null && unit !== null);
  const [costed, cost] = [sum(priced.map(lineTotal)), sum(priced.map((line) => (line.cost ?? 0) * line.qty))];
  return {
    net: sum(lines.map(lineTotal)),
    list: sum(lines.map(({ list, unit, qty }) => (list ?? unit ?? 0) * qty)),
    costed,
    cost,
    hasCost: costed !== 0 || cost !== 0,
    total,
  };
}

/** With two decimals. Halves round away from zero. */
function percent(part: number, whole: number): number {
  const exact = (10_000 * part) / whole;
  return (Math.sign(exact) * Math.round(Math.abs(exact))) / 100;
}
