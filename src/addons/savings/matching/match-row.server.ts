// Weighs the evidence for the items that a row may mean. A match is 'certain' only by a number, with a unit that agrees.
import type { Decimal } from '#platform/shared/money.ts';
import type { Confidence } from '../savings-words.ts';
import { agreeOnUnit, type TheirUnit, type UnitAgreement } from './agree-on-unit.server.ts';
import type { DescribedItem } from './item-index.server.ts';
import { contradiction, type ItemWords, isAlike, wordsIn } from './item-words.server.ts';

export type RowToMatch = TheirUnit & {
  item_no: string;
  distributor: string;
  catalog_no: string;
  maker: string;
  maker_no: string;
  description: string;
  gtin: string;
};

export type KnownItem = {
  id: number;
  item_number: string;
  description: string;
  /** All words that describe it: description, brand, manufacturer, product. */
  text: string;
  units: { unit: string; factor: Decimal }[];
  /** Why it cannot be quoted. '' if it can. */
  notOffered: string;
};

/** Like `NumberFit`, with the row's field that contains the number. */
type Fit = {
  itemId: number;
  kind: 'reference' | 'own' | 'maker' | 'gtin' | 'level' | 'customer';
  wording: string;
  isSure: boolean;
  isRewritten: boolean;
  unit: string;
  makers: readonly string[];
};
export type NumberField = 'item_no' | 'catalog_no' | 'maker_no' | 'gtin';
export const NUMBER_FIELDS: readonly NumberField[] = ['item_no', 'catalog_no', 'maker_no', 'gtin'];

/** An earlier decision at the facility, for the same number of the customer in the same unit. */
export type Decided = { itemId: number; unit: string; eaches: Decimal | null };

/** An item proposed for a row, as it is stored. `eaches` is the size of the customer's unit. */
export type Candidate = {
  itemId: number;
  unit: string;
  eaches: Decimal | null;
  confidence: Confidence;
  score: number;
  reasons: string[];
};

export const MAX_CANDIDATES = 5;
/** The scores that a description must reach, as measured in bench/RESULTS.md. */
const LIKELY = 70;
const POSSIBLE = 35;
/** The first item of a description is likely only if its score exceeds the second one's by this much. */
const AHEAD = 4;
const FIELD_WORDS: Record<NumberField, string> = {
  item_no: 'Their item number',
  catalog_no: 'The catalog number',
  maker_no: "The manufacturer's number",
  gtin: 'The GTIN',
};
const KIND_WORDS: Record<Exclude<Fit['kind'], 'reference'>, string> = {
  own: 'our number',
  maker: "our item's manufacturer number",
  gtin: "our item's GTIN",
  level: 'the GTIN of another packaging level of our item',
  customer: "the customer's number for our item",
};
/** The kinds of evidence, best first: user decisions, our numbers, the manufacturer's, GTINs. */
const RANK: Record<Fit['kind'], number> = { reference: 0, customer: 1, own: 2, maker: 3, gtin: 4, level: 5 };

/** What is known about a row before its description is searched. `theirs`: the words of its description. */
export type NumberedRow = {
  row: RowToMatch;
  theirs: ItemWords;
  fits: Readonly<Partial<Record<NumberField, readonly Fit[]>>>;
  decided: Decided | null;
};

/** The items that the numbers of a row mean, best first. */
export function candidatesByNumber(input: NumberedRow, items: ReadonlyMap<number, KnownItem>): Candidate[] {
  const byNumber = numbered(input, items);
  const named = new Set(byNumber.flatMap(({ itemId, isNamed }) => (isNamed ? [itemId] : [])));
  return byNumber
    .map(({ isNamed: _isNamed, ...candidate }) =>
      named.size > 1 ? demoted(candidate, 'The numbers in this row identify different items.') : candidate,
    )
    .slice(0, MAX_CANDIDATES);
}

/** The items of a row, best first: those of its numbers, and those of its description if none of them is certain. */
export function candidatesOf(
  row: RowToMatch,
  numbers: readonly Candidate[],
  described: readonly DescribedItem[],
  items: ReadonlyMap<number, KnownItem>,
): Candidate[] {
  const known = new Set(numbers.map(({ itemId }) => itemId));
  const words = describedOf(row, described, items).filter(({ itemId }) => !known.has(itemId));
  return [...numbers, ...words].toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
}

/** Items that only descriptions support. They come from the index, so they are read afterwards. */
function describedOf(
  row: RowToMatch,
  described: readonly DescribedItem[],
  items: ReadonlyMap<number, KnownItem>,
): Candidate[] {
  const [first, second] = described;
  return described.flatMap((entry) => {
    const item = items.get(entry.itemId);
    if (!item || item.notOffered || entry.score < POSSIBLE) return [];
    const isAhead = entry === first && entry.score - (second?.score ?? 0) >= AHEAD;
    const { unit, eaches, reason } = agreeOnUnit(row, item);
    const reasons = [`Same in both descriptions: ${entry.shared.join(', ')}.`, reason];
    const confidence: Confidence = entry.score >= LIKELY && isAhead ? 'likely' : 'possible';
    return [{ itemId: entry.itemId, unit, eaches, confidence, score: Math.min(79, entry.score), reasons }];
  });
}

const CHANCE: readonly Fit['kind'][] = ['own', 'maker'];

const asBefore = ({ unit, eaches }: Decided): UnitAgreement => ({
  unit,
  eaches,
  agrees: true,
  reason: 'The unit was chosen before, for the same number and unit at this facility.',
});

function numbered(
  { row, theirs, fits, decided }: NumberedRow,
  items: ReadonlyMap<number, KnownItem>,
): (Candidate & { isNamed: boolean })[] {
  const results = NUMBER_FIELDS.flatMap((field) =>
    meantBy(row, field, fits[field] ?? []).map((fit) => ({ field, fit })),
  );
  const candidates = [...Map.groupBy(results, ({ fit }) => fit.itemId)].flatMap(([itemId, evidence]) => {
    const item = items.get(itemId);
    if (!item) return [];
    const all = evidence.toSorted((a, b) => RANK[a.fit.kind] - RANK[b.fit.kind]);
    const doubts = new Map(all.map((entry) => [entry, doubtOf(row, theirs, item, entry)]));
    // One number without doubts is enough. The doubts about other numbers are still listed.
    const sure = all.find((candidate) => doubts.get(candidate) === '');
    const best = sure ?? all[0];
    if (!best) return [];
    const numberUnit = all.find(({ fit }) => fit.unit !== '')?.fit.unit ?? '';
    const isDecided =
      decided?.itemId === itemId && !row.sizes_differ && (row.eaches === null || row.eaches === decided.eaches);
    const agreed = isDecided ? asBefore(decided) : agreeOnUnit(row, item, numberUnit);
    const isCertain = sure !== undefined && agreed.agrees && agreed.unit !== '';
    const reasons = [
      ...all.map((entry) => sentence(entry)),
      ...(sure ? [] : [...new Set(doubts.values())]),
      agreed.reason,
    ].filter(Boolean);
    const isLikely = sure !== undefined || best.fit.isSure || best.fit.kind === 'reference';
    const confidence: Confidence = isCertain ? 'certain' : isLikely ? 'likely' : 'possible';
    const score = isCertain ? 100 - RANK[best.fit.kind] : sure ? 92 : best.fit.isSure ? 85 : isLikely ? 82 : 60;
    // The customer's own number may be a number of ours or of a manufacturer by chance, so it does not contradict any other.
    const isNamed = all.some(
      ({ field, fit }) => fit.isSure && fit.kind !== 'level' && !(field === 'item_no' && CHANCE.includes(fit.kind)),
    );
    return [{ itemId, unit: agreed.unit, eaches: agreed.eaches, confidence, score, reasons, isNamed }];
  });
  return candidates.toSorted((a, b) => b.score - a.score);
}

/** The items that the number means in its column. If there are several, the one whose manufacturer is in the row. If several remain, none is sure. */
function meantBy(row: RowToMatch, field: NumberField, fits: readonly Fit[]): readonly Fit[] {
  if (fits.length < 2) return fits;
  const named =
    row.maker === '' || field !== 'maker_no'
      ? []
      : fits.filter((fit) => fit.kind === 'maker' && fit.isSure && !isOtherMaker(row.maker, fit));
  if (named.length === 1) return named;
  return fits.map((fit) => ({ ...fit, isSure: false }));
}

function sentence({ field, fit }: { field: NumberField; fit: Fit }): string {
  if (fit.kind === 'reference') return `${fit.wording}.`;
  const written = fit.isRewritten ? `, written differently (${fit.wording})` : '';
  return `${FIELD_WORDS[field]} is ${KIND_WORDS[fit.kind]}${written}.`;
}

/** A sentence that explains why this number alone does not make the match certain. '' if it does. */
function doubtOf(
  row: RowToMatch,
  theirs: ItemWords,
  item: KnownItem,
  { field, fit }: { field: NumberField; fit: Fit },
): string {
  if (fit.kind === 'level') return 'The GTIN is for another packaging level.';
  if (!fit.isSure)
    return fit.kind === 'reference' ? 'This cross-reference needs a decision.' : 'The number matches several items.';
  if (item.notOffered) return item.notOffered;
  const against = contradiction(theirs, itemWords(item));
  if (against !== '') return `${against}.`;
  if (field === 'maker_no' && isOtherMaker(row.maker, fit))
    return `The row names ${row.maker}, but the number belongs to ${fit.makers.join(' or ')}.`;
  if (field === 'catalog_no' && fit.kind === 'reference' && isOtherMaker(row.distributor || row.maker, fit))
    return `The row names ${row.distributor || row.maker}, but the cross-reference names ${fit.makers.join(' or ')}.`;
  const isDecided = fit.kind === 'customer' || fit.kind === 'reference';
  // The customer's own numbers may be ours by chance, and so may short numbers that lost a zero.
  if (
    !isDecided &&
    (field === 'item_no' || fit.isRewritten || fit.kind === 'maker') &&
    !haveInCommon(theirs, itemWords(item))
  )
    return 'The descriptions have nothing in common.';
  if (field === 'item_no' && fit.kind === 'maker') return 'Their own number is also a manufacturer number.';
  return '';
}

/** Whether the row names a manufacturer to which this number does not belong. */
function isOtherMaker(named: string, { makers }: Fit): boolean {
  return named !== '' && makers.length > 0 && !makers.some((maker) => isSameMaker(named, maker));
}

const LEGAL = new Set(
  'inc llc co corp corporation company ltd the gmbh usa us of and medical health healthcare products product industries international group'.split(
    ' ',
  ),
);

/** 'MEDLINE INDUSTRIES' and 'Medline Industries, LP' are the same: they share a word that is not a legal form. */
export function isSameMaker(maker: string, other: string): boolean {
  const words = (text: string): string[] =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim()
      .split(' ')
      .filter((word) => word.length > 1 && !LEGAL.has(word));
  const [a, b] = [words(maker), words(other)];
  if (a.length === 0 || b.length === 0) return false;
  const initials = (list: string[]): string => list.map((word) => word.charAt(0)).join('');
  return (
    a.some((word) =>
      b.some(
        (also) =>
          also === word || (word.length >= 4 && also.startsWith(word)) || (also.length >= 4 && word.startsWith(also)),
      ),
    ) ||
    initials(a) === b[0] ||
    initials(b) === a[0]
  );
}

const wordsRead = new WeakMap<KnownItem, ItemWords>();
/** The words of an item, read once. */
function itemWords(item: KnownItem): ItemWords {
  const words = wordsRead.get(item) ?? wordsIn(item.text);
  wordsRead.set(item, words);
  return words;
}

/** Whether two descriptions share a word in any form, or a size. An empty description contradicts nothing. */
function haveInCommon(a: ItemWords, b: ItemWords): boolean {
  if (a.words.length === 0) return true;
  const isSize = [...a.sizes].some(([name, values]) => [...values].some((value) => b.sizes.get(name)?.has(value)));
  return isSize || a.words.some((word) => /[a-z]{3}/.test(word) && b.words.some((also) => isAlike(word, also)));
}

/** The candidates if words of the description support a sibling of the item, because either the number or the words may be wrong. */
export function unsettled(numbers: readonly Candidate[], words: readonly string[]): Candidate[] {
  return numbers.map((number) =>
    demoted(number, `A similar item fits the description better because of: ${words.join(', ')}.`),
  );
}

function demoted(candidate: Candidate, reason: string): Candidate {
  if (candidate.confidence !== 'certain') return candidate;
  return { ...candidate, confidence: 'likely', score: 85, reasons: [...candidate.reasons, reason] };
}
