// Takes quotes of a random company through everything that gives a line its price, by the program's own calls, and compares each line with
// the second calculation (price-oracle.server.ts).
import { sql } from 'kysely';
import { type Random, seeded } from '#demo/random.server.ts';
import { Eligibility } from '#addons/eligibility/eligibility.contract.ts';
import { ContractWhatIf } from '#core/quoting/next-tier/next-tier.contract.ts';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEdit, type QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { withoutApprovalRules } from './approval-rules.server.ts';
import { aSalesOffice } from './factories/people.server.ts';
import { Comparison, type Held, type Line, noteVersions, totalsFor, type Walked } from './price-compare.server.ts';
import { type AskedLine, PriceOracle, type PriceTerms, totalsOf } from './price-oracle.server.ts';
import {
  aRandomCompany,
  QUANTITIES,
  QUOTE_DAYS,
  type RandomCompany,
  type RandomItem,
  TODAY,
} from './random-company.server.ts';
import type { TestServer } from './test-server.server.ts';

const BUYER = { contactName: 'Pat Buyer', contactEmail: 'buyer@example.org' };
const LINES_OF_A_QUOTE = 15;
const QUOTES_OF_A_ROUND = 8;

type Who = { id: number };

/** Walks at least `lines` new lines of quotes, in rounds of so many quotes. The same seed walks the same way. */
export async function walkPrices(
  server: TestServer,
  { seed, lines, quotes = QUOTES_OF_A_ROUND }: { seed: number; lines: number; quotes?: number },
): Promise<Walked> {
  server.setNow(`${TODAY}T15:00:00Z`);
  const office = await aSalesOffice(server.db);
  const company = await aRandomCompany(server.db, seed);
  await withoutApprovalRules(server.db);
  const walk = new PriceWalk(
    server,
    { inside: office.inside, desk: office.contracts },
    company,
    seed,
    await PriceOracle.read(server.db),
  );
  const { walked } = walk;
  try {
    while (walked.created < lines) await walk.round(quotes);
  } catch (error) {
    // A refused call ends the walk; what differed before it says why.
    walked.differences.push({ what: 'Refused', seed, error: messageOf(error) });
  }
  return walked;
}

class PriceWalk {
  readonly #seen: Comparison;
  readonly #server: TestServer;
  readonly #inside: Who;
  readonly #desk: Who;
  readonly #company: RandomCompany;
  readonly #random: Random;
  #oracle: PriceOracle;
  #rounds = 0;

  constructor(
    server: TestServer,
    people: { inside: Who; desk: Who },
    company: RandomCompany,
    seed: number,
    oracle: PriceOracle,
  ) {
    this.#server = server;
    this.#inside = people.inside;
    this.#desk = people.desk;
    this.#company = company;
    this.#seen = new Comparison(seed);
    this.#random = seeded(seed + 1);
    this.#oracle = oracle;
  }

  get walked(): Walked {
    return this.#seen.walked;
  }

  /** Some quotes are made and edited, then prices change, then everything else happens to the quotes. */
  async round(count: number): Promise<void> {
    const quotes: Held[] = [];
    for (let n = 0; n < count; n++) {
      const quote = await this.#create();
      await this.#editLines(quote, 'Edit', 5);
      await this.#applyPromotions(quote);
      await this.#addTemplate(quote);
      await this.#changeTerms(quote);
      await this.#switchOffUnpriced(quote);
      quotes.push(quote);
    }
    await this.#changePrices();
    for (const [n, quote] of quotes.entries()) {
      await this.#editLines(quote, 'Edit after a change of prices', 2);
      await this.#clone(quote, 'keep');
      await this.#clone(quote, 'reprice');
      if (n % 2 === 0 && (await this.#sendAndRevise(quote)) === 'discarded') continue;
      await this.#reprice(quote);
      await this.#nextTier(quote);
      await this.#eligibility(quote);
    }
    this.#rounds++;
  }

  async #create(): Promise<Held> {
    const random = this.#random;
    const facility = random.pick(this.#company.facilities);
    const currnIdx = random.chance(0.3) ? random.pick([1007, 1008, 1009]) : facility.currnIdx;
    const terms = { facilityId: facility.id, currnIdx, day: random.pick(QUOTE_DAYS) };
    const money = {
      discount_pct: random.pick([0, 0, 0, 2.5, 7]),
      freight_amount: random.pick([0, 0, 19.95]),
      tax_rate: facility.taxRate,
      tax_exempt: facility.taxExempt,
    };
    const wanted = Array.from({ length: LINES_OF_A_QUOTE }, () => {
      const request: AskedLine = { ...this.#choice(facility.id), typed: null, promotionId: null };
      if (random.chance(0.25)) request.typed = this.#typing(terms, request);
      return { asked: request, optional: random.chance(0.06) };
    });
    const result = await this.#server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: {
          facilityId: facility.id,
          quoteDate: terms.day,
          ...BUYER,
          discountPct: money.discount_pct,
          freightAmount: money.freight_amount,
          ...(currnIdx === facility.currnIdx ? {} : { currnIdx }),
        },
        items: wanted.map(({ asked, optional }) => ({
          itemId: asked.itemId,
          unit: asked.unit,
          qty: asked.qty,
          optional,
          ...typedInput(asked.typed),
        })),
      },
      { as: this.#inside },
    );
    const newLines = result.items.filter(({ type }) => type === 'item');
    const quote: Held = { id: result.quote.id, version: 0, terms, money, requested: null, lines: [] };
    for (const [index, { asked, optional }] of wanted.entries())
      quote.lines.push(this.#line(quote, newLines[index]?.id ?? 0, asked, optional));
    this.walked.created += wanted.length;
    this.#seen.quote('Create', quote, result);
    return quote;
  }

  /** A new line with the price that it has now. */
  #line(quote: Held, id: number, request: AskedLine, optional = false): Line {
    const priced = this.#oracle.price(quote.terms, request, supposedFor(quote));
    return {
      id,
      version: 0,
      asked: request,
      priced,
      free: this.#oracle.freeQty(quote.terms, request),
      active: true,
      optional,
    };
  }

  #price(quote: Held, line: Line): void {
    line.priced = this.#oracle.price(quote.terms, line.asked, supposedFor(quote));
    line.free = this.#oracle.freeQty(quote.terms, line.asked);
  }

  /** An item in a unit, mostly one that a contract may have to do with. */
  #choice(facilityId: number): Pick<AskedLine, 'itemId' | 'unit' | 'qty'> {
    const random = this.#random;
    const near = this.#company.itemsOf(facilityId);
    const item = random.pick(near.length > 0 && random.chance(0.85) ? near : this.#company.items);
    return { itemId: item.id, unit: random.pick(Object.keys(item.units)), qty: random.pick(QUANTITIES) };
  }

  /** A typed price, percentage or amount off that makes a difference to the line. */
  #typing(terms: PriceTerms, request: AskedLine): AskedLine['typed'] {
    const random = this.#random;
    const { system } = this.#oracle.price(terms, { ...request, typed: null });
    const kind = system === null || system < 0.01 ? 'price' : random.pick(['price', 'pct', 'pct', 'off']);
    if (kind === 'pct') return { pct: random.pick([1.5, 4, 12.5, 33.3333]) };
    if (kind === 'off') return { off: Math.ceil((system ?? 0) * random.int(100, 900)) / 10_000 };
    return { price: Math.round(((system ?? 10) * (0.7 + random.next() * 0.5) + 0.0007) * 10_000) / 10_000 };
  }

  async #editLines(quote: Held, what: string, count: number): Promise<void> {
    const random = this.#random;
    for (let n = 0; n < count; n++) {
      const line = random.pick(quote.lines);
      const { asked } = line;
      const item = this.#itemOf(asked.itemId);
      let input: Partial<QuoteItemInput>;
      const kind = random.pick(['qty', 'qty', 'unit', 'typed', 'reset', 'item']);
      const others = Object.keys(item.units).filter((unit) => unit !== asked.unit);
      if (kind === 'unit' && others.length > 0 && (asked.typed === null || 'pct' in asked.typed)) {
        asked.unit = random.pick(others);
        input = { unit: asked.unit };
      } else if (kind === 'item' && asked.typed === null) {
        line.asked = { ...this.#choice(quote.terms.facilityId), typed: null, promotionId: null };
        input = { itemId: line.asked.itemId, unit: line.asked.unit, qty: line.asked.qty };
      } else if (kind === 'typed') {
        const before = JSON.stringify(asked.typed);
        // The same again is no change, and no change reprices nothing.
        do asked.typed = this.#typing(quote.terms, asked);
        while (JSON.stringify(asked.typed) === before);
        input = typedInput(asked.typed);
      } else if (kind === 'reset' && asked.typed !== null) {
        asked.typed = null;
        input = { unitPrice: null };
      } else {
        asked.qty = random.pick(QUANTITIES.filter((qty) => qty !== asked.qty));
        input = { qty: asked.qty };
      }
      this.#price(quote, line);
      const saved = await this.#server.ok(
        QuoteEdit.SaveQuoteItem,
        { quoteId: quote.id, id: line.id, version: line.version, ...input },
        { as: this.#inside },
      );
      noteVersions(quote, [saved.item, ...saved.changedItems]);
    }
    this.#seen.quote(what, quote, await this.#read(quote));
  }

  async #applyPromotions(quote: Held): Promise<void> {
    const tried = quote.lines.flatMap((line) => {
      const all = this.#oracle.promotionsOf(line.asked.itemId);
      const counting = all.filter((promotionId) =>
        this.#oracle.promotionCounts(quote.terms, { ...line.asked, promotionId }),
      );
      const from =
        counting.length > 0 || this.#random.chance(0.2) ? [counting, all].find((list) => list.length > 0) : undefined;
      return from ? [{ line, promotionId: this.#random.pick(from), counts: counting.length > 0 }] : [];
    });
    for (const { line, promotionId, counts } of tried) {
      const { status, body } = await this.#server.call(
        QuoteEdit.ApplyPromotionToQuoteItem,
        { quoteItemId: line.id, promotionId, version: line.version },
        { as: this.#inside },
      );
      if (counts !== (status === 200))
        this.#seen.differs('Promotion', quote, line, { counts }, { status, answer: status === 200 ? '' : body });
      if (status !== 200) continue;
      line.asked.promotionId = promotionId;
      this.#price(quote, line);
      noteVersions(quote, body.items);
    }
    this.#seen.quote('Promotion', quote, await this.#read(quote));
  }

  async #addTemplate(quote: Held): Promise<void> {
    const template = this.#random.pick(this.#company.templates);
    const known = new Set(quote.lines.map(({ id }) => id));
    const result = await this.#server.ok(
      QuoteEdit.SaveQuoteTemplateForQuote,
      { quoteId: quote.id, templateId: template.id },
      { as: this.#inside },
    );
    const newLines = result.items.filter(({ id, type }) => type === 'item' && !known.has(id));
    for (const [index, { item, unit, qty }] of template.lines.entries()) {
      const request = { itemId: item.id, unit: unit || baseOf(item), qty, typed: null, promotionId: null };
      quote.lines.push(this.#line(quote, newLines[index]?.id ?? 0, request));
    }
    this.walked.created += template.lines.length;
    this.#seen.quote('Template', quote, result);
  }

  /** Another date, currency or facility is another price for every line. */
  async #changeTerms(quote: Held): Promise<void> {
    const random = this.#random;
    const kind = random.pick(['day', 'currency', 'facility', '', '', '']);
    if (kind === '') return;
    const before = quote.terms.currnIdx;
    const facility = random.pick(this.#company.facilities);
    let input: object;
    if (kind === 'day') {
      quote.terms.day = random.pick(QUOTE_DAYS);
      input = { quoteDate: quote.terms.day };
    } else if (kind === 'currency') {
      quote.terms.currnIdx = quote.terms.currnIdx === 1009 ? 1007 : 1009;
      input = { currnIdx: quote.terms.currnIdx };
    } else {
      quote.terms.facilityId = facility.id;
      quote.terms.currnIdx = facility.currnIdx;
      Object.assign(quote.money, { tax_rate: facility.taxRate, tax_exempt: facility.taxExempt });
      input = { facilityId: facility.id, ...BUYER };
    }
    const result = await this.#server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, ...input } },
      { as: this.#inside },
    );
    // Amounts of another currency do not stay; percentages do.
    const isOther = (before === 1009) !== (quote.terms.currnIdx === 1009);
    if (isOther) quote.money.freight_amount = 0;
    for (const line of quote.lines) {
      if (isOther && line.asked.typed && !('pct' in line.asked.typed)) line.asked.typed = null;
      this.#price(quote, line);
    }
    this.#seen.quote(`New ${kind}`, quote, result);
  }

  /** A quote is sent only when every active line has a price. */
  async #switchOffUnpriced(quote: Held): Promise<void> {
    const off = quote.lines.filter(({ priced }) => priced.unit === null);
    if (off.length === 0) return;
    for (const line of off) line.active = false;
    const result = await this.#server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id }, items: off.map(({ id, version }) => ({ id, version, active: false })) },
      { as: this.#inside },
    );
    this.#seen.quote('Switch off', quote, result);
  }

  /** Every third price of each kind goes up or down, and some promotions are switched off. */
  async #changePrices(): Promise<void> {
    const { db } = this.#server;
    const part = this.#rounds % 3;
    const by = this.#rounds % 2 === 0 ? 1.07 : 0.94;
    for (const table of ['item_price', 'account_price', 'contract_line_price']) {
      await sql`update ${sql.table(table)}
        set price = greatest(round(price * ${sql.lit(by)}, case when price < 1 then 4 else 2 end), 0.0001)
        where id % 3 = ${part}`.execute(db);
    }
    await sql`update promotion set active = false where id % 29 = ${this.#rounds % 29}`.execute(db);
    this.#oracle = await PriceOracle.read(db);
  }

  async #clone(source: Held, prices: 'keep' | 'reprice'): Promise<void> {
    const result = await this.#server.ok(QuoteEdit.CloneQuote, { id: source.id, prices }, { as: this.#inside });
    const newLines = result.items.filter(({ type }) => type === 'item');
    const facility = this.#company.facilities.find(({ id }) => id === source.terms.facilityId);
    const own = {
      discount_pct: 0,
      freight_amount: 0,
      tax_rate: facility?.taxRate ?? 0,
      tax_exempt: facility?.taxExempt ?? false,
    };
    const copy: Held = {
      id: result.quote.id,
      version: 0,
      terms: { ...source.terms, day: TODAY },
      money: prices === 'keep' ? { ...source.money } : own,
      requested: null,
      lines: [],
    };
    for (const [index, line] of source.lines.entries()) {
      const request = { ...line.asked, typed: prices === 'keep' ? line.asked.typed : null };
      const copied = this.#line(copy, newLines[index]?.id ?? 0, request, line.optional);
      const stored = line.priced.unit;
      if (prices === 'keep') {
        const { system, unit } = copied.priced;
        // A discount without a price, or larger than the price, is none.
        const isDiscount = request.typed !== null && !('price' in request.typed);
        const fits =
          !isDiscount ||
          (system !== null && (!request.typed || !('off' in request.typed) || request.typed.off <= system));
        // A kept price that is today's is typed no more.
        if (stored !== null && (stored !== unit || !fits)) request.typed = stored === system ? null : { price: stored };
        else if (!fits) request.typed = null;
        this.#price(copy, copied);
      }
      copy.lines.push({ ...copied, active: line.active });
    }
    this.#seen.quote(`Clone, ${prices}`, copy, result);
  }

  /** Sends a quote, revises it, edits it, and discards some of the revisions. */
  async #sendAndRevise(quote: Held): Promise<'not sent' | 'revised' | 'discarded'> {
    const active = quote.lines.filter((line) => line.active);
    if (active.length === 0 || active.some(({ priced }) => priced.unit === null)) return 'not sent';
    quote.version = (await this.#act(quote, 'StartProcess')).quote.version;
    const mail = { to: ['buyer@example.org'], subject: 'Quote', body: 'Here it is.' };
    const sent = await this.#server.call(
      QuoteWorkflow.SendEmail,
      { quoteId: quote.id, version: quote.version, ...mail },
      { as: this.#inside },
    );
    if (sent.status !== 200) {
      // A quote whose prices have ended is not sent.
      if (!JSON.stringify(sent.body).includes('expired')) throw new Error(`Not sent: ${JSON.stringify(sent.body)}`);
      return 'not sent';
    }
    const before = structuredClone(quote.lines);
    this.#seen.quote('Revise', quote, await this.#act(quote, 'Revise'));
    await this.#editLines(quote, 'Edit a revision', 2);
    if (this.#random.chance(0.6)) return 'revised';
    quote.lines = before;
    this.#seen.quote('Discard a revision', quote, await this.#act(quote, 'DiscardRevision'));
    return 'discarded';
  }

  /** Some lines alone, then all. */
  async #reprice(quote: Held): Promise<void> {
    const subset = quote.lines.filter(() => this.#random.chance(0.3));
    for (const lines of [subset, quote.lines]) {
      if (lines.length === 0) continue;
      const itemIds = lines === quote.lines ? {} : { itemIds: lines.map(({ id }) => id) };
      const result = await this.#server.ok(
        QuoteEdit.RepriceQuote,
        { quoteId: quote.id, version: quote.version, ...itemIds },
        { as: this.#inside },
      );
      for (const line of lines) this.#price(quote, line);
      this.#seen.quote(lines === quote.lines ? 'Reprice' : 'Reprice some lines', quote, result);
    }
  }

  /** The lines with their prices as if the facility had a tier: those of the contract, unless somebody typed their price. */
  #asIf(quote: Held, supposed: { contractId: number; tierId: number }) {
    return quote.lines.map((line) => {
      const { asked, active, optional } = line;
      const follows =
        !(asked.typed && 'price' in asked.typed) &&
        this.#oracle.hasLine(supposed.contractId, asked.itemId, quote.terms.day);
      const price = follows ? this.#oracle.price(quote.terms, asked, { supposed }).unit : line.priced.unit;
      return { line, price, qty: asked.qty, counts: active && !optional };
    });
  }

  async #nextTier(quote: Held): Promise<void> {
    const result = await this.#server.ok(ContractWhatIf.WhatIf, { quoteId: quote.id }, { as: this.#inside });
    const used = quote.lines
      .filter(({ active }) => active)
      .flatMap(({ priced }) => priced.from.flatMap((from) => this.#oracle.contractOf(from) ?? []));
    const now = totalsFor(quote).subtotal;
    const expected = [...new Set(used)]
      .toSorted((a, b) => a - b)
      .flatMap((contractId) =>
        this.#oracle
          .tiersOf(contractId)
          .map(({ id: tierId, no }) => {
            const then = this.#asIf(quote, { contractId, tierId });
            const { subtotal } = totalsOf(quote.money, then);
            const lines = then.filter(({ line, price }) => line.active && price !== line.priced.unit).length;
            return { contractId, tierId, no, lines, total: subtotal, saving: round(now - subtotal) };
          })
          .filter(({ saving }) => saving > 0)
          .toSorted((a, b) => a.saving - b.saving || a.no - b.no)
          .map(({ no: _no, ...tier }) => tier),
      );
    const results = result.map(({ contractId, tierId, lines, total, saving }) => ({
      contractId,
      tierId,
      lines,
      total,
      saving,
    }));
    this.#seen.whole('Next tier', quote, expected, results);
  }

  /** What the quote could ask for, asks for one, looks at what each decision means, and decides. */
  async #eligibility(quote: Held): Promise<void> {
    const random = this.#random;
    const { options } = await this.#server.ok(Eligibility.Options, { quoteId: quote.id }, { as: this.#inside });
    const priced = options.filter(({ total }) => total !== null);
    const now = totalsFor(quote).total;
    this.#seen.whole(
      'What to ask for',
      quote,
      priced.map(({ contract, tier }) => {
        const { total } = totalsOf(quote.money, this.#asIf(quote, { contractId: contract.id, tierId: tier.id }));
        return { contractId: contract.id, tierId: tier.id, total, saving: round(now - total) };
      }),
      priced.map(({ contract, tier, total, saving }) => ({ contractId: contract.id, tierId: tier.id, total, saving })),
    );
    const allowed = priced.filter(({ tier }) => tier.provisionalAllowed);
    const subset = allowed.length > 0 && random.chance(0.8) ? allowed : priced;
    if (subset.length === 0) return;
    const { contract, tier, lineIds } = random.pick(subset);
    const place = { contractId: contract.id, tierId: tier.id };
    const request = await this.#server.ok(
      Eligibility.Request,
      { quoteId: quote.id, lineIds, ...place, wantedFrom: quote.terms.day, version: quote.version },
      { as: this.#inside },
    );
    if (tier.provisionalAllowed) quote.requested = place;
    for (const line of quote.lines) if (lineIds.includes(line.id)) this.#price(quote, line);
    this.#seen.quote('Provisional', quote, await this.#read(quote));

    const detail = await this.#server.ok(Eligibility.Get, { id: request.id }, { as: this.#desk });
    const meaning = detail.quotes.find(({ id }) => id === quote.id);
    const hanging = quote.lines.filter(({ priced: { without }, active, optional }) => without && active && !optional);
    const refused = hanging.some(({ priced: { without } }) => without?.unit === null)
      ? null
      : totalsOf(
          quote.money,
          quote.lines.map(({ priced: line, asked: { qty }, active, optional }) => ({
            price: line.without ? line.without.unit : line.unit,
            qty,
            counts: active && !optional,
          })),
        ).total;
    this.#seen.whole(
      'Eligibility',
      quote,
      {
        total: totalsFor(quote).total,
        refused,
        tiers: this.#oracle.tiersOf(contract.id).map(({ id: tierId }) => {
          const { total } = totalsOf(quote.money, this.#asIf(quote, { contractId: contract.id, tierId }));
          return { tierId, total, less: refused === null ? null : round(refused - total) };
        }),
      },
      meaning && { total: meaning.total, refused: meaning.refused, tiers: meaning.tiers },
    );

    const step = random.pick(['Approve', 'Approve', 'Reject', 'Reject', '']);
    if (step === '') return;
    const signed = { signer: 'Dr. Ruth Avery', signedOn: '2026-10-01', reason: 'As agreed.' };
    await this.#decide(request.id, 'StartReview', {});
    if ((await this.#decide(request.id, step, signed)) !== 200) return;
    this.walked.compared[step] = (this.walked.compared[step] ?? 0) + 1;
    quote.requested = null;
    this.#oracle = await PriceOracle.read(this.#server.db);
    quote.version = (await this.#read(quote)).quote.version;
    const result = await this.#server.ok(
      QuoteEdit.RepriceQuote,
      { quoteId: quote.id, version: quote.version },
      { as: this.#inside },
    );
    for (const line of quote.lines) this.#price(quote, line);
    this.#seen.quote('Decided', quote, result);
  }

  async #decide(id: number, action: string, more: object): Promise<number> {
    const { version } = await this.#server.db
      .selectFrom('eligibility_request')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return (await this.#server.call(Eligibility.Decide, { id, action, version, ...more }, { as: this.#desk })).status;
  }

  #read({ id }: Held): Promise<QuoteEditData> {
    return this.#server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: this.#inside });
  }

  async #act(quote: Held, action: ActionName): Promise<QuoteEditData> {
    const { version } = (await this.#read(quote)).quote;
    return this.#server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: quote.id, action, version },
      { as: this.#inside },
    );
  }

  #itemOf(id: number): RandomItem {
    const match = this.#company.items.find((item) => item.id === id);
    if (!match) throw new Error('no such item');
    return match;
  }
}

const baseOf = ({ units }: RandomItem) => Object.keys(units)[0] ?? '';
const round = (amount: number) => Math.round(amount * 100) / 100;
const supposedFor = ({ requested }: Held) => (requested ? { requested } : {});

function typedInput(typed: AskedLine['typed']): Partial<QuoteItemInput> {
  if (typed === null) return {};
  const priceReason = 'Agreed';
  if ('price' in typed) return { unitPrice: typed.price, priceReason };
  return 'pct' in typed ? { discountPct: typed.pct, priceReason } : { discountAmount: typed.off, priceReason };
}
