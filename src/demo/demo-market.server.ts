// The market of the demo company: seasons, different representatives, competitors, and a March in which one of them undercut the South.
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import type { LostReason } from '#core/quoting/quote-workflow/workflow.ts';
import type { DemoFacility } from './demo-places.server.ts';
import type { Random } from './random.server.ts';

/** The number of days back to which quotes were decided. */
const HISTORY = 729;

/** January to December: little in winter, budgets end in June, wards open in September. */
const SEASONS = [0.75, 0.85, 1, 1, 1.05, 1.3, 0.8, 0.85, 1.25, 1.1, 1, 0.7];

export type RepTraits = {
  /** Added to the usual share of won quotes. */
  wins: number;
  /** The share of quotes with typed discounts. */
  discounts: number;
  /** How long everything takes, compared with other representatives. */
  pace: number;
  /** The last twelve months compared with the twelve before. */
  growth: number;
};

/** By territory, in the order of demo-places. */
const REPS: RepTraits[] = [
  { wins: 0.06, discounts: 0.25, pace: 1, growth: 1.2 },
  { wins: 0.02, discounts: 0.2, pace: 0.9, growth: 0.9 },
  { wins: -0.14, discounts: 0.6, pace: 1.7, growth: 0.7 },
  { wins: 0, discounts: 0.2, pace: 1, growth: 1.05 },
  { wins: 0.04, discounts: 0.3, pace: 1.1, growth: 1.2 },
  { wins: -0.04, discounts: 0.35, pace: 0.9, growth: 1 },
  { wins: 0.09, discounts: 0.1, pace: 0.8, growth: 1.35 },
  { wins: 0, discounts: 0.25, pace: 1.2, growth: 0.95 },
  { wins: 0.05, discounts: 0.2, pace: 0.9, growth: 1.1 },
  { wins: -0.02, discounts: 0.3, pace: 1, growth: 1.3 },
  { wins: 0.03, discounts: 0.25, pace: 1.1, growth: 0.85 },
  { wins: 0.06, discounts: 0.2, pace: 0.8, growth: 1 },
  { wins: -0.12, discounts: 0.5, pace: 1.5, growth: 0.75 },
  { wins: 0, discounts: 0.15, pace: 1, growth: 1.25 },
  { wins: -0.05, discounts: 0.45, pace: 1.2, growth: 1.1 },
  { wins: 0.1, discounts: 0.1, pace: 0.7, growth: 1.4 },
];
const USUAL: RepTraits = { wins: 0, discounts: 0.25, pace: 1, growth: 1 };

export function traitsOf(territoryId: number): RepTraits {
  return REPS[territoryId - 1] ?? USUAL;
}

/** The region and the competitor of the campaign. */
const CAMPAIGN = { regionName: 'South', territories: [9, 10, 11, 12], by: 'Northline Medical' };
const COMPETITORS = [
  'Northline Medical',
  'Harbor Surgical Supply',
  'Vantor Health',
  'Brightwell Care',
  'Summit Surfaces',
];

/** The last completed March: '2026-03'. */
export function badMarch(today: IsoDate): string {
  const year = Number(today.slice(0, 4));
  return `${today.slice(5, 7) > '03' ? year : year - 1}-03`;
}

function isCampaign(territoryId: number, day: IsoDate, today: IsoDate): boolean {
  return CAMPAIGN.territories.includes(territoryId) && day.startsWith(badMarch(today));
}

/** Some of the tenders that ended in that March. They make it a bad month, whatever the day and the size of the company. */
export function tenders(today: IsoDate): { territoryId: number; day: IsoDate }[] {
  const days = [...Array(31).keys()].map((n) => addDays(`${badMarch(today)}-01`, n)).filter(isWorkingDay);
  return CAMPAIGN.territories.flatMap((territoryId, at) =>
    [at, at + 4, at + 9].map((n) => ({ territoryId, day: days[n] ?? today })),
  );
}

function isWorkingDay(day: IsoDate): boolean {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** A working day of the last two years on which a quote of the territory was decided. Many tenders of the South ended in that March. */
export function decisionDay(random: Random, territoryId: number, today: IsoDate): IsoDate {
  const { growth } = traitsOf(territoryId);
  for (;;) {
    const age = random.int(0, HISTORY);
    const day = addDays(today, -age);
    const weight =
      (SEASONS[Number(day.slice(5, 7)) - 1] ?? 1) *
      (age < 365 ? growth : 1) *
      (isCampaign(territoryId, day, today) ? 3 : 1);
    if (isWorkingDay(day) && random.chance(weight / 4.5)) return day;
  }
}

export type Loss = {
  reason: LostReason;
  comment: string;
  competitor: string;
  /** The competitor's price, as a share of the quote's total. Null if unknown. */
  share: number | null;
};

const REASONS: [LostReason, number][] = [
  ['price', 34],
  ['competitor', 24],
  ['timing', 16],
  ['budget', 11],
  ['product', 7],
  ['noResponse', 6],
  ['other', 2],
];
const REASON_MIX = REASONS.flatMap(([reason, share]) => Array<LostReason>(share).fill(reason));

/** Why a quote was lost. Null if it was won. */
export function wonOrWhy(
  random: Random,
  overrides: { facility: DemoFacility; day: IsoDate; today: IsoDate; discounted: boolean },
): Loss | null {
  const { facility, day, today, discounted } = overrides;
  const campaign = isCampaign(facility.territoryId, day, today);
  const small = /Nursing|Rehab/.test(facility.name) ? -0.08 : 0;
  const usual = 0.66 + traitsOf(facility.territoryId).wins + small + (discounted ? 0.05 : 0);
  if (random.chance(campaign ? 0.1 : usual)) return null;
  const reason = campaign ? random.pick(['price', 'price', 'price', 'competitor'] as const) : random.pick(REASON_MIX);
  const toSomebody = reason === 'price' || reason === 'competitor';
  const named = toSomebody && random.chance(campaign ? 0.95 : 0.75);
  const gap = campaign ? 0.12 + random.next() * 0.07 : random.next() * 0.1 - 0.01;
  const priced = named && random.chance(campaign ? 0.9 : 0.55);
  return {
    reason,
    comment: reason === 'other' ? 'The department closes.' : '',
    competitor: named ? (campaign ? CAMPAIGN.by : random.pick(COMPETITORS)) : '',
    share: priced ? 1 - gap : null,
  };
}
