// Chooses a price from the rows that could apply (design 4, steps 1 to 4), and proves every step.
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { compare, currencyOf, type Decimal, roundPrice, toUnits } from '#platform/shared/money.ts';
import { amountOf, type Candidate, distance, factorOf, inAskedUnit, inEffect } from './candidate.server.ts';
import { chooseContract, replacePredecessors, weighOffer } from './choose-contract.server.ts';
import type { PriceFacts, PriceRow } from './price-facts.server.ts';
import { type PriceStep, type ResolvedPrice, roundingSteps } from './price-proof.ts';

/** A row of the price ladder: a stored price, and why it is used or not. */
export type LadderRow = {
  source: 'List' | 'Account' | 'Contract';
  unit: string;
  minQty: Decimal;
  price: Decimal;
  /** Per requested unit. Null when it cannot be converted. */
  amount: Decimal | null;
  currnIdx: number;
  from: IsoDate | null;
  to: IsoDate | null;
  ref: string;
  used: boolean;
  why: string;
};

/**
 * The price of a quantity of an item on a day, in the requested unit: contract if eligible, even above the account price (flagged), else account,
 * else list. Without a price, `problem` explains why in a sentence.
 */
export function resolvePrice(facts: PriceFacts): ResolvedPrice {
  return judge(facts).resolved;
}

/**
 * Returns whether a contract line prices the item on that day, and if not, why. The reason is empty when the contract offers the facility nothing at
 * all.
 */
export function answerOfContract(facts: PriceFacts, lineId: number): { counts: boolean; why: string } {
  const { candidates, used } = judge(facts);
  const own = candidates.find(({ contract }) => contract?.lineId === lineId);
  if (own === undefined || own === used) return { counts: own !== undefined, why: '' };
  if (own.why) return { counts: false, why: own.why };
  const otherMoney = currencyOf(own.currnIdx) !== currencyOf(facts.currnIdx);
  const why = otherMoney
    ? `The contract is in ${currencyOf(own.currnIdx)}, the facility buys in ${currencyOf(facts.currnIdx)}`
    : 'The contract, its line or the place on the roster does not count on this day';
  return { counts: false, why };
}

const ORDER = ['List', 'Account', 'Contract'];

/** The same as `resolvePrice`, with every price valid on that day in that currency, smaller units first. The price in use is marked. */
export function priceLadder(facts: PriceFacts): { rows: LadderRow[]; resolved: ResolvedPrice } {
  const { resolved, candidates, used } = judge(facts);
  const rows = candidates
    .filter(({ isInEffect }) => isInEffect)
    .toSorted(
      (a, b) =>
        ORDER.indexOf(a.source) - ORDER.indexOf(b.source) ||
        (a.source === 'Contract' ? 0 : (factorOf(facts, a.unit) ?? 1) - (factorOf(facts, b.unit) ?? 1)),
    )
    .map((candidate) => ({
      source: candidate.source,
      unit: candidate.unit,
      minQty: candidate.minQty,
      price: candidate.price,
      amount: priceToCharge(facts, candidate),
      currnIdx: candidate.currnIdx,
      from: candidate.from,
      to: candidate.to,
      ref: candidate.name,
      used: candidate === used,
      why: candidate === used ? 'Used' : candidate.why,
    }));
  return { rows, resolved };
}

type Judgement = { resolved: ResolvedPrice; candidates: Candidate[]; used: Candidate | undefined };

function judge(facts: PriceFacts): Judgement {
  const request = { ...facts, unit: facts.unit || facts.baseUnit };
  const list = request.list.map((row) => weigh(request, row, 'List', 'List price', 0));
  const account = request.account.map((row) =>
    weigh(
      request,
      row,
      'Account',
      `Account price${row.holder === 'parent' ? ` of the parent ${row.facilityName}` : ''}${row.reference ? ` (${row.reference})` : ''}`,
      row.holder === 'own' ? 0 : 1,
    ),
  );
  const contracts = request.contracts.map((offer) => weighOffer(request, offer));
  replacePredecessors(contracts);

  const listPrice = choose(request, list);
  const accountPrice = choose(request, account);
  const contractPrice = chooseContract(request, contracts);
  const used = contractPrice ?? accountPrice ?? listPrice;
  const contractAboveAccount =
    contractPrice !== undefined &&
    accountPrice !== undefined &&
    compare(amountOf(contractPrice), amountOf(accountPrice)) > 0;

  for (const [winner, label] of [
    [listPrice, 'list price'],
    [accountPrice, 'account price'],
  ] as const) {
    if (winner && winner !== used)
      winner.why = `The ${used?.source.toLowerCase()} price takes precedence over the ${label}`;
  }
  const candidates = [...list, ...account, ...contracts];
  const problem = used ? '' : whyNone(request, candidates);
  /** The rounding step of a price over which another one takes precedence. For the price in use, the rounding step follows the resolved price. */
  const roundedBeside = (price: Candidate | undefined) =>
    price && price !== used ? roundingSteps(amountOf(price), priceToCharge(request, price) ?? 0, request.currnIdx) : [];
  const proof = [
    priceStep('List', 'No list price', listPrice, list),
    ...roundedBeside(listPrice),
    ...(account.length > 0 ? [priceStep('Account', 'No account price', accountPrice, account)] : []),
    ...roundedBeside(accountPrice),
    ...contracts.filter(({ contract }) => contract?.inProof).map((offer) => contractStep(offer, contractPrice)),
    {
      step: 'Resolved',
      source: used ? used.name : 'No price',
      ref: '',
      amount: used ? amountOf(used) : null,
      note: used
        ? `${contractAboveAccount ? 'The contract price is higher than the account price and is used anyway. ' : ''}Per ${request.unit} on ${formatDate(request.priceDate)}`
        : problem,
    },
    ...(used ? roundingSteps(amountOf(used), priceToCharge(request, used) ?? 0, request.currnIdx) : []),
  ];
  return {
    candidates,
    used,
    resolved: {
      listPrice: priceToCharge(request, listPrice),
      accountPrice: priceToCharge(request, accountPrice),
      contractPrice: priceToCharge(request, contractPrice),
      systemPrice: priceToCharge(request, used),
      priceSource: used?.source ?? '',
      contractAboveAccount,
      contractLineId: contractPrice?.contract?.lineId ?? null,
      priceEnds: used?.to ?? null,
      problem,
      choice: contractPrice
        ? ''
        : (contracts.find(({ isInEffect, contract }) => isInEffect && contract?.undecided)?.why ?? ''),
      proof,
    },
  };
}

/** The price to charge. A price computed from another unit is rounded to the company's places. */
function priceToCharge(facts: PriceFacts, candidate: Candidate | undefined): Decimal | null {
  if (!candidate || candidate.amount === null) return null;
  return candidate.arithmetic ? roundPrice(candidate.amount, facts.places) : candidate.amount;
}

/** Evaluates a list or account row by currency, day, quantity break and unit. */
function weigh(facts: PriceFacts, row: PriceRow, source: 'List' | 'Account', name: string, rank: number): Candidate {
  const { amount, arithmetic, why } = inAskedUnit(facts, row);
  const isInEffect =
    currencyOf(row.currnIdx) === currencyOf(facts.currnIdx) && inEffect(facts.priceDate, row.from, row.to);
  return {
    source,
    name,
    rank,
    isInEffect,
    amount,
    arithmetic,
    ref: `${source === 'List' ? 'item_price' : 'account_price'} ${row.id}`,
    unit: row.unit,
    minQty: row.minQty,
    price: row.price,
    currnIdx: row.currnIdx,
    from: row.from,
    to: row.to,
    why: why || (reaches(facts, row) ? '' : `Only from ${row.minQty} ${row.unit} up`),
    how: [],
    contract: null,
  };
}

/** Returns whether the quantity reaches a row's break, counted in the row's unit. A break of 1 is not a limit: half a box has the price of a box. */
function reaches(facts: PriceFacts, row: PriceRow): boolean {
  if (row.minQty <= 1) return true;
  const [rowFactor, lineFactor] =
    row.unit === facts.unit ? [1, 1] : [factorOf(facts, row.unit) ?? 1, factorOf(facts, facts.unit) ?? 1];
  return toUnits(facts.qty) * toUnits(lineFactor) >= toUnits(row.minQty) * toUnits(rowFactor);
}

/**
 * Chooses the row that prices the line: nearest holder, then the requested unit, else the largest smaller unit, else the smallest larger one, then
 * the highest break reached, then the newest row. The proof explains why the other rows are not used.
 */
function choose(facts: PriceFacts, rows: Candidate[]): Candidate | undefined {
  const able = rows.filter((row) => row.isInEffect && row.why === '');
  able.sort(
    (a, b) =>
      a.rank - b.rank ||
      distance(facts, a.unit) - distance(facts, b.unit) ||
      compare(b.minQty, a.minQty) ||
      (b.from ?? '').localeCompare(a.from ?? '') ||
      b.ref.localeCompare(a.ref, 'en', { numeric: true }),
  );
  const [best, ...others] = able;
  for (const other of others) {
    if (best) other.why = `${whatWins(best, other)} comes first`;
  }
  return best;
}

function whatWins(best: Candidate, other: Candidate): string {
  if (best.rank !== other.rank) return "The facility's own price";
  if (best.unit !== other.unit) return `The price per ${best.unit}`;
  if (best.minQty !== other.minQty) return `The price from ${best.minQty} ${best.unit} up`;
  return 'The newer price';
}

function priceStep(
  step: 'List' | 'Account',
  none: string,
  chosen: Candidate | undefined,
  rows: Candidate[],
): PriceStep {
  if (!chosen)
    return { step, source: none, ref: '', amount: null, note: rows.find(({ isInEffect }) => isInEffect)?.why ?? '' };
  return { step, source: chosen.name, ref: chosen.ref, amount: chosen.amount, note: noteOf(chosen) };
}

function contractStep(offer: Candidate, taken: Candidate | undefined): PriceStep {
  return {
    step: 'Contract',
    source: offer.name,
    ref: offer.ref,
    amount: offer.amount,
    note: [offer === taken ? 'Taken' : offer.why, noteOf(offer)].filter(Boolean).join('. '),
  };
}

/** The quantity break, days, qualification and unit arithmetic of a row. */
function noteOf(row: Candidate): string {
  const parts = [
    ...row.how,
    row.minQty > 1 ? `From ${row.minQty} ${row.unit}` : '',
    row.to ? `${formatDate(row.from)} to ${formatDate(row.to)}` : '',
    row.arithmetic,
  ];
  return parts.filter(Boolean).join('. ');
}

/** Explains why a line has no price: names the closest match, or states that there is no price at all. */
function whyNone(facts: PriceFacts, candidates: Candidate[]): string {
  const miss =
    candidates.find(({ isInEffect, source }) => isInEffect && source !== 'Contract') ??
    candidates.find(({ isInEffect }) => isInEffect);
  if (miss?.why) return `${miss.why}.`;
  return `There is no price in ${currencyOf(facts.currnIdx)} for item ${facts.itemNumber} on ${formatDate(facts.priceDate)}.`;
}
