// Defines everything that determines the price of a line: stored prices that could apply, contracts, unit and day.
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Decimal, PricePlaces } from '#platform/shared/money.ts';

/** A stored list or account price: per `unit`, from `minQty` of that unit on. Both days are included. Null means no end. */
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

/**
 * The GPOs whose contracts apply to a facility on a day: its declared primary one, or else those whose rosters name it. If several name it and none
 * is declared, none applies until a user chooses.
 */
export type PrimaryGpos = { declared: boolean; gpos: string[] };

/** One line of a contract under which the facility may buy, or will be able to once it succeeds another contract. */
export type ContractOffer = {
  contractId: number;
  number: string;
  /** The contracts that this one replaces, nearest first. */
  predecessorIds: number[];
  currnIdx: number;
  /** The first and last day on which the contract is valid, including extension and termination. */
  from: IsoDate;
  to: IsoDate;
  /** The day of the rows below: the price date, or the contract's first day if that is later. */
  day: IsoDate;
  /** A local agreement has no GPO. */
  gpoName: string | null;
  /** The facility's membership in the contract's GPO, either declared or by a roster row. Null means none. */
  membership: { from: IsoDate; to: IsoDate | null } | null;
  primary: PrimaryGpos;
  /** Whether the facility is on the roster, has the base tier as a GPO member, or is excluded. */
  listedBy: 'roster' | 'members' | 'excluded';
  /** The parent whose roster entry covers the facility. Empty for its own entry. */
  parent: string;
  listedFrom: IsoDate;
  listedTo: IsoDate | null;
  lineId: number;
  unit: string;
  lineFrom: IsoDate | null;
  lineTo: IsoDate | null;
  /** The entry's tier, followed by the tiers to which it falls back until a letter of commitment is approved. Empty when excluded. */
  tiers: OfferedTier[];
};
export type OfferedTier = {
  id: number;
  no: number;
  needsLoc: boolean;
  /** The letter of commitment for a tier that needs one. Null means that none exists. */
  loc: { state: string; from: IsoDate; to: IsoDate | null } | null;
  /** Per the line's unit, with the days of the price row. Null means that the tier has no price for the line on that day. */
  price: Decimal | null;
  from: IsoDate | null;
  to: IsoDate | null;
};

/** Everything that determines a price. It may include rows of other currencies and days, which pricing filters out. */
export type PriceFacts = {
  itemNumber: string;
  baseUnit: string;
  /** The item's own factors: the number of base units in one unit. The base unit may be omitted. */
  units: { unit: string; factor: Decimal }[];
  /** The requested unit. Empty means the base unit. */
  unit: string;
  qty: Decimal;
  currnIdx: number;
  priceDate: IsoDate;
  /** The decimal places for a price converted from another unit. A price stored for the unit is not rounded. */
  places: PricePlaces;
  list: PriceRow[];
  account: AccountPriceRow[];
  contracts: ContractOffer[];
  /** What contracts that are open to the members of other GPOs would offer if the facility joined. Read only for hypothetical prices. */
  ifMember?: ContractOffer[];
};
