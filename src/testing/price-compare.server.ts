// Compares the lines and totals of quotes, as the program shows them, with the second calculation, and keeps what differs.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { type AskedLine, type PricedLine, type PriceTerms, totalsOf } from './price-oracle.server.ts';

type Difference = Record<string, unknown>;
export type Walked = {
  /** Lines that were compared, by what was done to the quote. */
  compared: Record<string, number>;
  /** Compared prices by source. */
  sources: Record<string, number>;
  created: number;
  differences: Difference[];
};

export type Line = {
  id: number;
  version: number;
  asked: AskedLine;
  priced: PricedLine;
  free: number;
  active: boolean;
  optional: boolean;
};
type Money = { discount_pct: number; freight_amount: number; tax_rate: number; tax_exempt: boolean };
export type Held = {
  id: number;
  version: number;
  terms: PriceTerms;
  money: Money;
  lines: Line[];
  requested: { contractId: number; tierId: number } | null;
};

export class Comparison {
  readonly walked: Walked = { compared: {}, sources: {}, created: 0, differences: [] };
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Compares every line, the free lines, the currency and the totals of a quote as the program shows it. */
  quote(what: string, quote: Held, visible: QuoteEditData): void {
    quote.version = visible.quote.version;
    noteVersions(quote, visible.items);
    const byId = new Map(visible.items.map((item) => [item.id, item]));
    const freeOf = new Map(visible.items.filter(({ type }) => type === 'free').map((item) => [item.parentId, item]));
    for (const line of quote.lines) {
      const item = byId.get(line.id);
      const { priced, asked } = line;
      const free = freeOf.get(line.id);
      const expected = { ...forPeople(priced), qty: asked.qty, unitName: asked.unit, free: line.free };
      const result = item && {
        list: item.listPrice,
        system: item.systemPrice,
        unit: item.unitPrice,
        source: item.priceSource,
        from: fromOf(item, priced.from),
        toChoose: item.priceChoice !== '',
        without: item.fallback && { unit: item.fallback.unitPrice, source: item.fallback.priceSource },
        qty: item.qty,
        unitName: item.unit,
        free: free ? free.qty : 0,
      };
      this.walked.compared[what] = (this.walked.compared[what] ?? 0) + 1;
      this.walked.sources[priced.source] = (this.walked.sources[priced.source] ?? 0) + 1;
      if (JSON.stringify(expected) !== JSON.stringify(result)) this.differs(what, quote, line, expected, result);
    }
    const { subtotal, total } = totalsFor(quote);
    this.whole(
      what,
      quote,
      { currnIdx: quote.terms.currnIdx, subtotal, total, free: 0 },
      {
        currnIdx: visible.quote.currnIdx,
        subtotal: visible.quote.subtotal,
        total: visible.quote.totalAmount,
        free: [...freeOf.values()].reduce((all, { lineTotal }) => all + lineTotal, 0),
      },
    );
  }

  whole(what: string, quote: Held, expected: unknown, visible: unknown): void {
    this.walked.compared[`${what}: quotes`] = (this.walked.compared[`${what}: quotes`] ?? 0) + 1;
    if (JSON.stringify(expected) === JSON.stringify(visible)) return;
    this.walked.differences.push({ what, seed: this.#seed, quote: quote.id, ...quote.terms, expected, shown: visible });
  }

  differs(what: string, quote: Held, { asked }: Line, expected: unknown, visible: unknown): void {
    this.walked.differences.push({
      what,
      seed: this.#seed,
      quote: quote.id,
      ...quote.terms,
      ...asked,
      expected,
      shown: visible,
    });
  }
}

export function noteVersions(quote: Held, items: readonly QuoteItem[]): void {
  const versions = new Map(items.map(({ id, version }) => [id, version]));
  for (const line of quote.lines) line.version = versions.get(line.id) ?? line.version;
}

/** What a quote adds up to. */
export function totalsFor({ money, lines }: Held) {
  return totalsOf(
    money,
    lines.map(({ priced, asked, active, optional }) => ({
      price: priced.unit,
      qty: asked.qty,
      counts: active && !optional,
    })),
  );
}

function forPeople({ list, system, unit, source, from, toChoose, without }: PricedLine) {
  return { list, system, unit, source, from: from.join(' or '), toChoose, without: without ?? null };
}

/** The row or tier that the proof names as the origin of the price; where one of several is right, all of them. */
function fromOf({ priceProof }: QuoteItem, able: string[]): string {
  const taken =
    priceProof.find(({ step, note }) => step === 'Contract' && note.startsWith('Taken')) ??
    priceProof.find(({ step, amount }) => step === 'Account' && amount !== null) ??
    priceProof.find(({ step, amount }) => step === 'List' && amount !== null);
  const ref = taken?.ref ?? '';
  return able.includes(ref) ? able.join(' or ') : ref;
}
