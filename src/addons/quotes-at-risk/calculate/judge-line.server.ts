// Determines whether one line of a quote has another price on a day, and why. Pure: it reads nothing.
import { whyNotPrimary } from '#core/prices/pricing/choose-contract.server.ts';
import type { PriceStep } from '#core/prices/pricing/price-proof.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { priceOfItem } from '#core/quoting/quote-edit/lines/item-price.server.ts';
import type { LinePrice } from '#core/quoting/quote-edit/lines/price-line.server.ts';
import { netPriceOf } from '#core/quoting/quotes/totals/net-price.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { compare, type Decimal, extend, type PricePlaces, subtract } from '#platform/shared/money.ts';
import type { RiskKind } from '../risk-kinds.ts';

/** A line as quoted, with the fields of its quote that affect its price. */
export type QuotedLine = {
  id: number;
  quoteId: number;
  facilityId: number | null;
  currnIdx: number;
  quoteDate: IsoDate;
  validUntil: IsoDate;
  itemId: number;
  unit: string;
  qty: Decimal;
  optional: boolean;
  promotionId: number | null;
  typedPrice: Decimal | null;
  typedPct: Decimal | null;
  typedAmount: Decimal | null;
  systemPrice: Decimal | null;
  unitPrice: Decimal | null;
  /** The discount on the whole quote. */
  quoteDiscountPct: Decimal;
  /** The number of free units that the line includes. */
  freeQty: Decimal;
  source: string;
  contractLineId: number | null;
  contractId: number | null;
  /** The eligibility request that its price depends on. */
  requestId: number | null;
};
/** The tier and words of the quoted price, its contract's last day, and its request's state. Read only for lines that differ. */
export type QuotedSource = {
  tierId: number | null;
  was: string;
  contractEnds: IsoDate | null;
  requestState: string | null;
};

/** `ends`: the last day of the prices that `differs` compares. */
export type Then = { day: IsoDate; price: LinePrice; item: PricedItem | undefined; ends: IsoDate | null };

/** The price that a line would have on a day, by the rules of quoting and the values typed on the line. */
export function priceOn(line: QuotedLine, item: PricedItem | undefined, day: IsoDate, places: PricePlaces): Then {
  const { itemId, unit, qty, facilityId, currnIdx, promotionId } = line;
  const terms = { facilityId, currnIdx, priceDate: day, places };
  const manual = {
    price: line.typedPrice,
    discountPct: line.typedPct,
    discountAmount: line.typedAmount,
    reason: '',
    by: '',
  };
  const known = item && line.requestId === null ? { ...item, requested: [] } : item;
  const request = { itemId, unit, qty, promotionId };
  const { price } = priceOfItem(known, terms, { ...request, manual });
  // A typed price has no end, but the system price that it replaces does.
  const compared =
    line.typedPrice === null
      ? price
      : priceOfItem(known, terms, { ...request, manual: { ...manual, price: null } }).price;
  return { day, price, item, ends: compared.priceEnds };
}

/** Whether the line's price differs from the quoted one. For a typed price, compares the system prices. */
export function differs(line: QuotedLine, { price }: Then): boolean {
  const [quoted, now] =
    line.typedPrice === null ? [line.unitPrice, price.unitPrice] : [line.systemPrice, price.systemPrice];
  const same = quoted === null || now === null ? quoted === now : compare(quoted, now) === 0;
  return !same || compare(line.freeQty, price.freeQty) !== 0;
}

export type Risk = {
  line: QuotedLine;
  kind: RiskKind;
  day: IsoDate;
  contractId: number | null;
  /** The prices as quoted and on the day, after the quote discount. If the price is typed, the system prices. */
  quoted: Decimal | null;
  price: Decimal | null;
  difference: Decimal;
  /** False for optional lines and typed prices, because they change no total. */
  counts: boolean;
  typed: boolean;
  was: string;
  now: string;
};

/** The risk of a line that differs. */
export function riskOf(line: QuotedLine, quoted: QuotedSource, then: Then): Risk {
  const { price, day } = then;
  const typed = line.typedPrice !== null;
  const counts = !typed && !line.optional;
  const taken = takenOf(then);
  const net = (unitPrice: Decimal | null) =>
    netPriceOf({ type: 'item', active: true, optional: line.optional, unitPrice }, line.quoteDiscountPct);
  const [before, after] = [net(line.unitPrice), net(price.unitPrice)];
  return {
    line,
    day,
    typed,
    counts,
    kind: riskKind(line, quoted, then),
    contractId: line.contractId ?? taken?.contractId ?? null,
    quoted: typed ? line.systemPrice : before,
    price: typed ? price.systemPrice : after,
    difference:
      counts && before !== null && after !== null ? subtract(extend(after, line.qty), extend(before, line.qty)) : 0,
    was: quoted.was,
    now: price.unitPrice === null ? price.problem : sourceInWords(price.proof),
  };
}

/** The contract, tier and line that a price came from. Null if it did not come from a contract. */
export function takenOf({
  price,
  item,
}: Then): { contractId: number; tierId: number; predecessorIds: number[] } | null {
  if (price.contractLineId === null) return null;
  const offer = item?.contracts.find(({ lineId }) => lineId === price.contractLineId);
  const step = price.proof.find(({ ref }) => ref.startsWith(`contract_line ${price.contractLineId} tier `));
  if (!offer || !step) return null;
  return {
    contractId: offer.contractId,
    tierId: Number(step.ref.split(' ').at(-1)),
    predecessorIds: offer.predecessorIds,
  };
}

/** 'Contract V-1, tier 2 (Vizient)', 'List price', '10% promotion'. */
export function sourceInWords(proof: readonly PriceStep[]): string {
  const promoted = proof.findLast(({ step, amount }) => step === 'Promotion' && amount !== null);
  return (promoted ?? proof.find(({ step }) => step === 'Resolved'))?.source ?? '';
}

function riskKind(line: QuotedLine, quoted: QuotedSource, then: Then): RiskKind {
  const { price } = then;
  const [before, now] = [line.systemPrice, price.systemPrice];
  const lower = before !== null && now !== null && compare(now, before) < 0;
  if (now === null) return line.contractId === null ? 'Ends' : whyNotAnyMore(line, quoted, then);
  const promoted = line.promotionId !== null && price.priceSource === 'Promotion';
  if (line.source === 'Promotion' || compare(line.freeQty, price.freeQty) !== 0) {
    if (promoted || price.freeQty > 0) return 'Price';
    return lower ? 'Better' : 'Ends';
  }
  if (quoted.requestState === 'Rejected' || quoted.requestState === 'Revoked') return 'Rejected';
  const taken = takenOf(then);
  if (line.contractId === null) {
    if (taken) return lower ? 'Better' : 'Eligibility';
    if (price.priceSource === line.source || line.source === 'Manual') return 'Price';
    return lower ? 'Better' : 'Ends';
  }
  if (taken?.contractId === line.contractId) {
    if (quoted.tierId === null || taken.tierId === quoted.tierId) return 'Price';
    return letterOf(line, quoted, then) ?? 'Tier';
  }
  if (taken?.predecessorIds.includes(line.contractId)) return 'Superseded';
  // The contract still offers its price, but another price takes precedence.
  const isOffered = price.proof.some(
    ({ ref, note }) => ref.startsWith(`contract_line ${line.contractLineId} `) && note.startsWith('Not taken'),
  );
  if (isOffered) return lower ? 'Better' : 'Eligibility';
  return whyNotAnyMore(line, quoted, then);
}

/** The risk from the letter of commitment of the quoted tier, if the letter is why the tier does not apply. */
function letterOf(line: QuotedLine, { tierId }: QuotedSource, { item, day }: Then): RiskKind | null {
  const offers = item?.contracts.filter(({ contractId }) => contractId === line.contractId) ?? [];
  const tier = offers.flatMap(({ tiers }) => tiers).find(({ id }) => id === tierId);
  if (!tier?.needsLoc || !tier.loc) return null;
  const { state, to } = tier.loc;
  if (state === 'Rejected' || state === 'Revoked') return 'Rejected';
  return state === 'Approved' && to !== null && to < day ? 'Ends' : null;
}

/** Why the contract no longer prices the line. */
function whyNotAnyMore(line: QuotedLine, quoted: QuotedSource, then: Then): RiskKind {
  const { day, item } = then;
  if (quoted.contractEnds !== null && quoted.contractEnds < day) return 'Ends';
  const offer = item?.contracts.find(({ lineId }) => lineId === line.contractLineId);
  if (!offer || offer.listedBy === 'excluded') return 'Eligibility';
  if (offer.lineTo !== null && offer.lineTo < day) return 'Ends';
  const letter = letterOf(line, quoted, then);
  if (letter) return letter;
  const member =
    offer.gpoName === null || whyNotPrimary(offer.gpoName, offer.membership !== null, offer.primary) === '';
  return member && offer.tiers.some(({ id, price }) => id === quoted.tierId && price === null) ? 'Ends' : 'Eligibility';
}
