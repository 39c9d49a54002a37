// Chooses the contract that prices a line: evaluates each offer by days, tier and membership, lets successors replace offers, picks one.
import { addDays, earliest, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { compare, currencyOf } from '#platform/shared/money.ts';
import { amountOf, type Candidate, distance, inAskedUnit, inEffect } from './candidate.server.ts';
import type { ContractOffer, OfferedTier, PriceFacts, PrimaryGpos } from './price-facts.server.ts';

/**
 * Evaluates a contract line by currency, days of contract, line and entry, exclusion, tier with its letter of commitment, membership and unit. A
 * contract that has not begun is evaluated as of its first day. It is not in effect yet, but it ends its predecessor.
 */
export function weighOffer(facts: PriceFacts, offer: ContractOffer): Candidate {
  const { day } = offer;
  const membership =
    offer.membership && inEffect(day, offer.membership.from, offer.membership.to) ? offer.membership : null;
  const { tier, passed, missing } = tierThatCounts(offer);
  const price = tier?.price ?? null;
  const { amount, arithmetic, why } = inAskedUnit(facts, { ...offer, price: price ?? 0 });
  const holds =
    currencyOf(offer.currnIdx) === currencyOf(facts.currnIdx) &&
    inEffect(day, offer.from, offer.to) &&
    inEffect(day, offer.lineFrom, offer.lineTo) &&
    inEffect(day, offer.listedFrom, offer.listedTo);
  const notPrimary = offer.gpoName === null ? '' : whyNotPrimary(offer.gpoName, membership !== null, offer.primary);
  const notEligible =
    offer.listedBy === 'excluded'
      ? `Not used: ${offer.parent ? `${offer.parent} and its facilities are` : 'the facility is'} excluded from the contract`
      : missing || notPrimary || (tier && price === null ? `Tier ${tier.no} has no price on this day` : '');
  return {
    source: 'Contract',
    name: `Contract ${offer.number}${tier ? `, tier ${tier.no}` : ''} (${offer.gpoName ?? 'local agreement'})`,
    ref: `contract_line ${offer.lineId}${tier ? ` tier ${tier.id}` : ''}`,
    rank: offer.gpoName === null ? 0 : 1,
    isInEffect: holds && price !== null && offer.from <= facts.priceDate,
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
      undecided: isUndecided(offer) && notEligible === notPrimary,
    },
  };
}

/** Why the contracts of a GPO do not apply to the facility. Empty when they do. */
export function whyNotPrimary(gpo: string, isMember: boolean, { declared, gpos }: PrimaryGpos): string {
  if (!isMember) return `Not used: no membership in ${gpo} on this day`;
  if (gpos.includes(gpo) && (declared || gpos.length === 1)) return '';
  return gpos.includes(gpo) ? toChoose(gpos) : `Offered, not used: ${gpo} is not the declared primary GPO`;
}

/** Returns whether the contract's GPO is one of several whose rosters name the facility, so that a user must choose. */
function isUndecided({ gpoName, primary }: Pick<ContractOffer, 'gpoName' | 'primary'>): boolean {
  return gpoName !== null && !primary.declared && primary.gpos.length > 1 && primary.gpos.includes(gpoName);
}

/** The message on a line when the rosters of several GPOs name the facility and none of them is declared primary. */
function toChoose(gpos: readonly string[]): string {
  const number = ['', '', 'Two', 'Three', 'Four', 'Five'][gpos.length] ?? String(gpos.length);
  return `${number} GPOs: choose. The rosters of ${gposInWords(gpos)} name the facility, and none of them is its primary GPO`;
}

function gposInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Returns the first tier that needs no letter of commitment or has one approved on the day, the skipped tiers, and why no tier is left. */
export function tierThatCounts({ tiers, day }: ContractOffer): {
  tier: OfferedTier | undefined;
  passed: string[];
  missing: string;
} {
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

/**
 * A successor that offers the facility a firm price for the line replaces its predecessors from its first day on. When it is in effect, their prices
 * are not used. If it begins later, their prices end the day before.
 */
export function replacePredecessors(offers: Candidate[]): void {
  for (const { contract: successor, isInEffect } of offers) {
    if (!successor?.firm) continue;
    for (const offer of offers) {
      if (!offer.contract || !successor.predecessorIds.includes(offer.contract.id)) continue;
      if (isInEffect) offer.why ||= `Not used: contract ${successor.number} replaces it`;
      else offer.to = earliest(offer.to, addDays(successor.from, -1));
    }
  }
}

/**
 * Chooses a local agreement before the primary GPO, then the lowest price. Each contract offers one price: the price of the nearest unit, from the
 * facility's newest roster entry.
 */
export function chooseContract(facts: PriceFacts, offers: Candidate[]): Candidate | undefined {
  const able = offers.filter((offer) => offer.isInEffect && offer.why === '');
  able.sort(
    (a, b) =>
      distance(facts, a.unit) - distance(facts, b.unit) ||
      (b.contract?.entered ?? '').localeCompare(a.contract?.entered ?? '') ||
      compare(amountOf(a), amountOf(b)),
  );
  const voices = able.filter((offer) => {
    const voice = able.find((candidate) => candidate.contract?.id === offer.contract?.id);
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
