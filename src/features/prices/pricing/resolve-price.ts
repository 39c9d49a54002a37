// Steps 1 to 4 of a price (design 4): from the rows that could apply to the one that does, with the proof of every step.
import { addDays, earliest, formatDate, type IsoDate } from '#shared/dates.ts';
import {
  compare,
  convertPrice,
  currencyOf,
  type Decimal,
  type PricePlaces,
  roundPrice,
  toUnits,
} from '#shared/money.ts';
import { type PriceStep, type ResolvedPrice, roundingSteps } from './price-proof.ts';

/** A list or account price as it is stored: per `unit`, from `minQty` of that unit on, both days included; null: no end. */
export type PriceRow = {
  id: number;
  unit: string;
  minQty: Decimal;
  price: Decimal;
  currnIdx: number;
  from: IsoDate;
  to: IsoDate | null;
};
export type AccountPriceRow = PriceRow & {
  /** The holder of the price: the facility itself, or its parent. */
  holder: 'own' | 'parent';
  facilityName: string;
  reference: string;
};

/** One line of a contract that the facility may buy under, or will be able to when it succeeds another. */
export type ContractOffer = {
  contractId: number;
  number: string;
  /** The contracts that this one replaces, the nearest first. */
  predecessorIds: number[];
  currnIdx: number;
  /** First and last day on which the contract holds, its extension and its termination included. */
  from: IsoDate;
  to: IsoDate;
  /** The day that the rows below are of: the price date, or the contract's first day when that is later. */
  day: IsoDate;
  /** A local agreement has no GPO. */
  gpoName: string | null;
  /** The facility's membership in the contract's GPO; null: none. */
  membership: { isPrimary: boolean; from: IsoDate; to: IsoDate | null } | null;
  /** By its roster, or as a member of a GPO whose every member has the base tier. */
  listedBy: 'roster' | 'members' | 'excluded';
  /** The parent whose roster entry covers the facility; empty: its own entry. */
  parent: string;
  listedFrom: IsoDate;
  listedTo: IsoDate | null;
  lineId: number;
  unit: string;
  lineFrom: IsoDate | null;
  lineTo: IsoDate | null;
  /** The tier of the entry, then those it falls back to while a letter of commitment is not approved. None when excluded. */
  tiers: OfferedTier[];
};
export type OfferedTier = {
  id: number;
  no: number;
  needsLoc: boolean;
  /** The letter of commitment, of a tier that needs one; null: there is none. */
  loc: { state: string; from: IsoDate; to: IsoDate | null } | null;
  /** Per the line's unit, with the days of the price row; null: the tier has no price for the line on that day. */
  price: Decimal | null;
  from: IsoDate | null;
  to: IsoDate | null;
};

/** Everything that decides a price. It may include rows of other currencies and days, which are judged here. */
export type PriceFacts = {
  itemNumber: string;
  baseUnit: string;
  /** The item's own factors: how many base units one unit holds. The base unit may be omitted. */
  units: { unit: string; factor: Decimal }[];
  /** The requested unit; empty means the base unit. */
  unit: string;
  qty: Decimal;
  currnIdx: number;
  priceDate: IsoDate;
  /** To which a price that is converted from another unit is rounded; a price stored for the unit stays as it is. */
  places: PricePlaces;
  list: PriceRow[];
  account: AccountPriceRow[];
  contracts: ContractOffer[];
};

/** A row of the price ladder: a stored price, and why it is used or not. */
export type LadderRow = {
  source: 'List' | 'Account' | 'Contract';
  unit: string;
  minQty: Decimal;
  price: Decimal;
  /** Per requested unit; null when it cannot be converted. */
  amount: Decimal | null;
  currnIdx: number;
  from: IsoDate | null;
  to: IsoDate | null;
  ref: string;
  used: boolean;
  why: string;
};

/**
 * The price of a quantity of an item at a day: contract if eligible, also when it lies above the account price (flagged), else
 * account, else list, in the unit asked for. Without a price, `problem` says why in a sentence.
 */
export function resolvePrice(facts: PriceFacts): ResolvedPrice {
  return judge(facts).resolved;
}

const ORDER = ['List', 'Account', 'Contract'];

/** The same, with every price valid on that day in that currency, smaller units first, and the one in use marked. */
export function priceLadder(facts: PriceFacts): { rows: LadderRow[]; resolved: ResolvedPrice } {
  const { resolved, candidates, used } = judge(facts);
  const rows = candidates
    .filter(({ stands }) => stands)
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
      amount: rounded(facts, candidate),
      currnIdx: candidate.currnIdx,
      from: candidate.from,
      to: candidate.to,
      ref: candidate.name,
      used: candidate === used,
      why: candidate === used ? 'Used' : candidate.why,
    }));
  return { rows, resolved };
}

type Candidate = {
  source: 'List' | 'Account' | 'Contract';
  name: string;
  ref: string;
  unit: string;
  minQty: Decimal;
  price: Decimal;
  currnIdx: number;
  from: IsoDate | null;
  to: IsoDate | null;
  /** In currency and in effect, so that a ladder shows it. */
  stands: boolean;
  /** Per requested unit; null when it cannot be converted. */
  amount: Decimal | null;
  /** The arithmetic when the unit was converted. */
  arithmetic: string;
  /** Why it is not eligible or was not used; empty while eligible. */
  why: string;
  /** 0 comes before 1: own before parent, local agreement before GPO. */
  rank: number;
  /** How the facility came to it; empty strings say nothing. */
  how: string[];
  contract: {
    id: number;
    number: string;
    lineId: number;
    /** The first day of the contract, and of the facility in it. */
    from: IsoDate;
    entered: IsoDate;
    predecessorIds: number[];
    /** In effect for the facility on the price date, though it may exclude it or have no price: the proof says so. */
    inProof: boolean;
    /** It has a price for the line that the facility may have, on the offer's day. */
    firm: boolean;
  } | null;
};

type Judgement = { resolved: ResolvedPrice; candidates: Candidate[]; used: Candidate | undefined };

function judge(facts: PriceFacts): Judgement {
  const asked = { ...facts, unit: facts.unit || facts.baseUnit };
  const list = asked.list.map((row) => weigh(asked, row, 'List', 'List price', 0));
  const account = asked.account.map((row) =>
    weigh(
      asked,
      row,
      'Account',
      `Account price${row.holder === 'parent' ? ` of the parent ${row.facilityName}` : ''}${row.reference ? ` (${row.reference})` : ''}`,
      row.holder === 'own' ? 0 : 1,
    ),
  );
  const contracts = asked.contracts.map((offer) => weighOffer(asked, offer));
  replace(contracts);

  const listPrice = choose(asked, list);
  const accountPrice = choose(asked, account);
  const contractPrice = chooseContract(asked, contracts);
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
  const problem = used ? '' : whyNone(asked, candidates);
  const proof = [
    stepOf('List', 'No list price', listPrice, list),
    ...(account.length > 0 ? [stepOf('Account', 'No account price', accountPrice, account)] : []),
    ...contracts.filter(({ contract }) => contract?.inProof).map((offer) => contractStep(offer, contractPrice)),
    {
      step: 'Resolved',
      source: used ? used.name : 'No price',
      ref: '',
      amount: used ? amountOf(used) : null,
      note: used
        ? `${contractAboveAccount ? 'The contract price is higher than the account price and is used anyway. ' : ''}Per ${asked.unit} on ${formatDate(asked.priceDate)}`
        : problem,
    },
    ...(used ? roundingSteps(amountOf(used), rounded(asked, used) ?? 0) : []),
  ];
  return {
    candidates,
    used,
    resolved: {
      listPrice: rounded(asked, listPrice),
      accountPrice: rounded(asked, accountPrice),
      contractPrice: rounded(asked, contractPrice),
      systemPrice: rounded(asked, used),
      priceSource: used?.source ?? '',
      contractAboveAccount,
      contractLineId: contractPrice?.contract?.lineId ?? null,
      priceEnds: used?.to ?? null,
      problem,
      proof,
    },
  };
}

function amountOf(candidate: Candidate): Decimal {
  return candidate.amount ?? 0;
}

/** The price as it is charged: in the company's places when it was computed from another unit's. */
function rounded(facts: PriceFacts, candidate: Candidate | undefined): Decimal | null {
  if (!candidate || candidate.amount === null) return null;
  return candidate.arithmetic ? roundPrice(candidate.amount, facts.places) : candidate.amount;
}

/** Judges a list or account row by currency, day, quantity break and unit. */
function weigh(facts: PriceFacts, row: PriceRow, source: 'List' | 'Account', name: string, rank: number): Candidate {
  const { amount, arithmetic, why } = inAskedUnit(facts, row.unit, row.price);
  const stands = currencyOf(row.currnIdx) === currencyOf(facts.currnIdx) && inEffect(facts.priceDate, row.from, row.to);
  return {
    source,
    name,
    rank,
    stands,
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

/**
 * Judges a contract line by currency, days of contract, line and entry, exclusion, tier with its letter of commitment, membership and
 * unit. A contract that has not begun is judged as of its first day: it does not stand, but ends its predecessor.
 */
function weighOffer(facts: PriceFacts, offer: ContractOffer): Candidate {
  const { day } = offer;
  const membership =
    offer.membership && inEffect(day, offer.membership.from, offer.membership.to) ? offer.membership : null;
  const { tier, passed, missing } = tierOf(offer);
  const price = tier?.price ?? null;
  const { amount, arithmetic, why } = inAskedUnit(facts, offer.unit, price ?? 0);
  const holds =
    currencyOf(offer.currnIdx) === currencyOf(facts.currnIdx) &&
    inEffect(day, offer.from, offer.to) &&
    inEffect(day, offer.lineFrom, offer.lineTo) &&
    inEffect(day, offer.listedFrom, offer.listedTo);
  const notEligible =
    offer.listedBy === 'excluded'
      ? `Not used: ${offer.parent ? `${offer.parent} and its facilities are` : 'the facility is'} excluded from the contract`
      : missing ||
        (offer.gpoName === null || membership?.isPrimary
          ? ''
          : membership
            ? `Offered, not used: ${offer.gpoName} is not the declared primary GPO`
            : `Not used: no membership in ${offer.gpoName} on this day`) ||
        (tier && price === null ? `Tier ${tier.no} has no price on this day` : '');
  return {
    source: 'Contract',
    name: `Contract ${offer.number}${tier ? `, tier ${tier.no}` : ''} (${offer.gpoName ?? 'local agreement'})`,
    ref: `contract_line ${offer.lineId}${tier ? ` tier ${tier.id}` : ''}`,
    rank: offer.gpoName === null ? 0 : 1,
    stands: holds && price !== null && offer.from <= facts.priceDate,
    amount: price === null ? null : amount,
    arithmetic: price === null ? '' : arithmetic,
    unit: offer.unit,
    minQty: 1,
    price: price ?? 0,
    currnIdx: offer.currnIdx,
    from: latest(offer.from, offer.lineFrom, offer.listedFrom, tier?.from ?? null, tier?.loc?.from ?? null),
    to: earliest(
      offer.to,
      offer.lineTo,
      offer.listedTo,
      tier?.to ?? null,
      tier?.needsLoc ? tier.loc?.to : null,
      offer.gpoName === null ? null : membership?.to,
    ),
    why: notEligible || why,
    how: [
      offer.listedBy === 'members' ? `Every member of ${offer.gpoName} has the base tier` : '',
      offer.listedBy === 'roster' && offer.parent ? `On the roster through ${offer.parent}` : '',
      ...passed,
    ],
    contract: {
      id: offer.contractId,
      lineId: offer.lineId,
      entered: offer.listedFrom,
      predecessorIds: offer.predecessorIds,
      from: offer.from,
      number: offer.number,
      inProof: holds && offer.from <= facts.priceDate,
      firm: holds && price !== null && !notEligible && !why,
    },
  };
}

/** The first tier whose letter of commitment, if it needs one, is approved on the day; what was passed over; why none is left. */
function tierOf({ tiers, day }: ContractOffer): { tier: OfferedTier | undefined; passed: string[]; missing: string } {
  const passed: string[] = [];
  for (const tier of tiers) {
    const { loc } = tier;
    if (!tier.needsLoc || (loc?.state === 'Approved' && inEffect(day, loc.from, loc.to))) {
      return { tier, passed: passed.map((why) => `${why}: tier ${tier.no} counts`), missing: '' };
    }
    const now = !loc
      ? 'there is none'
      : loc.state !== 'Approved'
        ? `now: ${loc.state.toLowerCase()}`
        : day < loc.from
          ? `approved from ${formatDate(loc.from)}`
          : `it ended on ${formatDate(loc.to)}`;
    passed.push(`Tier ${tier.no} needs an approved letter of commitment (${now})`);
  }
  return { tier: tiers[0], passed: [], missing: passed.join('. ') };
}

function latest(...days: (IsoDate | null)[]): IsoDate | null {
  return days.reduce((last, day) => (day && (!last || day > last) ? day : last), null);
}

function inEffect(day: IsoDate, from: IsoDate | null, to: IsoDate | null): boolean {
  return (!from || from <= day) && (!to || day <= to);
}

function factorOf(facts: PriceFacts, unit: string): Decimal | undefined {
  return facts.units.find((one) => one.unit === unit)?.factor ?? (unit === facts.baseUnit ? 1 : undefined);
}

/** Converts a price to the requested unit by the item's own factors; without a factor there is no price. */
function inAskedUnit(
  facts: PriceFacts,
  unit: string,
  price: Decimal,
): { amount: Decimal | null; arithmetic: string; why: string } {
  if (unit === facts.unit) return { amount: price, arithmetic: '', why: '' };
  const [from, to] = [factorOf(facts, unit), factorOf(facts, facts.unit)];
  if (from === undefined || to === undefined) {
    const missing = to === undefined ? facts.unit : unit;
    return {
      amount: null,
      arithmetic: '',
      why: `There is no factor for the unit ${missing}, so the price per ${unit} cannot be converted to one per ${facts.unit}`,
    };
  }
  const amount = convertPrice(price, from, to);
  if (amount === 0 && price > 0)
    return { amount: null, arithmetic: '', why: `The price per ${unit} is too small to show per ${facts.unit}` };
  return {
    amount,
    arithmetic: `${price.toFixed(4)} per ${unit} × ${to} ÷ ${from} = ${amount.toFixed(4)} per ${facts.unit}`,
    why: '',
  };
}

/** Whether the quantity reaches a row's break, which counts in the row's unit. A break of 1 is none: half a box has the box's price. */
function reaches(facts: PriceFacts, row: PriceRow): boolean {
  if (row.minQty <= 1) return true;
  const [rowFactor, lineFactor] =
    row.unit === facts.unit ? [1, 1] : [factorOf(facts, row.unit) ?? 1, factorOf(facts, facts.unit) ?? 1];
  return toUnits(facts.qty) * toUnits(lineFactor) >= toUnits(row.minQty) * toUnits(rowFactor);
}

/**
 * The row that prices the line: the nearest holder, then the unit asked for, else the largest unit below it, else the smallest above;
 * then the highest break reached, the newest row. The proof says why the others do not count.
 */
function choose(facts: PriceFacts, rows: Candidate[]): Candidate | undefined {
  const able = rows.filter((row) => row.stands && row.why === '');
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

/** 0 for the requested unit, then smaller units from the largest down, then larger ones from the smallest up. */
function distance(facts: PriceFacts, unit: string): number {
  if (unit === facts.unit) return 0;
  const ratio = (factorOf(facts, unit) ?? 1) / (factorOf(facts, facts.unit) ?? 1);
  return ratio <= 1 ? 2 - ratio : 2 + ratio;
}

/**
 * A successor that gives the facility a firm price for the line replaces its predecessors from its first day on: today's is not used
 * beside it, and is good until the eve of one to come.
 */
function replace(offers: Candidate[]): void {
  for (const { contract: successor, stands } of offers) {
    if (!successor?.firm) continue;
    for (const offer of offers) {
      if (!offer.contract || !successor.predecessorIds.includes(offer.contract.id)) continue;
      if (stands) offer.why ||= `Not used: contract ${successor.number} replaces it`;
      else offer.to = earliest(offer.to, addDays(successor.from, -1));
    }
  }
}

/**
 * Local agreements before the primary GPO, then the lowest price. A contract speaks with one price: of the nearest unit, by the newest
 * entry on its roster.
 */
function chooseContract(facts: PriceFacts, offers: Candidate[]): Candidate | undefined {
  const able = offers.filter((offer) => offer.stands && offer.why === '');
  able.sort(
    (a, b) =>
      distance(facts, a.unit) - distance(facts, b.unit) ||
      (b.contract?.entered ?? '').localeCompare(a.contract?.entered ?? '') ||
      compare(amountOf(a), amountOf(b)),
  );
  const voices = able.filter((offer) => {
    const voice = able.find((one) => one.contract?.id === offer.contract?.id);
    if (voice === offer) return true;
    offer.why = `Not used: ${voice?.unit === offer.unit ? 'a newer roster entry' : `the price per ${voice?.unit}`} comes first`;
    return false;
  });
  voices.sort((a, b) => a.rank - b.rank || compare(amountOf(a), amountOf(b)));
  const [best, ...others] = voices;
  for (const other of others) {
    const reason = best?.rank === other.rank ? `${best.name} is lower` : 'a local agreement comes first';
    other.why = `Not taken: ${reason}`;
  }
  return best;
}

function stepOf(step: 'List' | 'Account', none: string, chosen: Candidate | undefined, rows: Candidate[]): PriceStep {
  if (!chosen) return { step, source: none, ref: '', amount: null, note: rows.find(({ stands }) => stands)?.why ?? '' };
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

/** Break, days, how the facility came to it, and unit arithmetic of a row. */
function noteOf(row: Candidate): string {
  const parts = [
    ...row.how,
    row.minQty > 1 ? `From ${row.minQty} ${row.unit}` : '',
    row.to ? `${formatDate(row.from)} to ${formatDate(row.to)}` : '',
    row.arithmetic,
  ];
  return parts.filter(Boolean).join('. ');
}

/** The sentence for a line without a price: the nearest miss, else that there is no price at all. */
function whyNone(facts: PriceFacts, candidates: Candidate[]): string {
  const miss =
    candidates.find(({ stands, source }) => stands && source !== 'Contract') ?? candidates.find(({ stands }) => stands);
  if (miss?.why) return `${miss.why}.`;
  return `There is no price in ${currencyOf(facts.currnIdx)} for item ${facts.itemNumber} on ${formatDate(facts.priceDate)}.`;
}
