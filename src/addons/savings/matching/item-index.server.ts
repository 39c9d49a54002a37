// An in-memory index of the catalog's words, with which thousands of descriptions find their items in seconds.
import { consonantsOf, contradiction, type ItemWords, isAlike, isOneOff, wordsIn } from './item-words.server.ts';

export type IndexedItem = { id: number; text: string; maker: string };
/** `score`: 0 to 100, the part of the meaning that both texts share. */
export type DescribedItem = { itemId: number; score: number; shared: string[] };

/** The number of items that are compared with a description in detail. */
const MAX_COMPARED = 30;
/** The number of items whose words are cached, because the items of a file are similar. */
const MAX_REMEMBERED = 20_000;
const MAX_SIMILAR = 6;
/** An item that matches less than this part of a description's weight is not a candidate. */
const LEAST = 0.3;
/** A sibling speaks against the item of a number if it fits a description better by this weight: that of a word in one of seven items. */
const AGAINST = 2;
/** Siblings share at least this part of the weight of their words. */
const SIBLING = 0.5;
/** The weight factor of a word that is only similar. */
const ALIKE = 0.8;
/** The greatest weight of a word that is not in the catalog, because it may be noise. */
const MAX_UNKNOWN = 6;

export type ItemIndex = {
  find: (theirs: ItemWords, most: number) => DescribedItem[];
  /** The words of a description that speak for a sibling of the item and against the item itself. Empty if the item fits as well as any. */
  againstIt: (theirs: ItemWords, itemId: number) => string[];
  size: number;
};
export type GrowingIndex = { add: (items: Iterable<IndexedItem>) => void; done: () => ItemIndex };

/** A word of a description, and the words of the catalog that it may mean. */
type Asked = { word: string; weight: number; means: string[] };

type Read = { words: ItemWords; keys: ReadonlySet<string> };

/** An index that is filled with some items at a time, so that a server with a large catalog answers calls in between. */
export function growingIndex(): GrowingIndex {
  const ids: number[] = [];
  const texts: string[] = [];
  const makers: string[] = [];
  const result = new Map<string, number[]>();
  return {
    add: (items) => {
      for (const { id, text, maker } of items) {
        const at = ids.push(id) - 1;
        texts.push(text);
        makers.push(maker);
        for (const word of keysOf(wordsIn(text))) {
          const places = result.get(word);
          if (places) places.push(at);
          else result.set(word, [at]);
        }
      }
    },
    done: () => indexOf({ ids, texts, makers }, result),
  };
}

type Items = { ids: readonly number[]; texts: readonly string[]; makers: readonly string[] };

function indexOf({ ids, texts, makers }: Items, result: Map<string, number[]>): ItemIndex {
  const weights = new Float64Array(ids.length);
  const places = new Map([...result].map(([word, list]) => [word, Uint32Array.from(list)]));
  result.clear();
  const weightOf = (word: string): number => Math.log(1 + ids.length / (places.get(word)?.length ?? 0.5));
  for (const [word, list] of places) {
    const weight = weightOf(word);
    for (const at of list) weights[at] = (weights[at] ?? 0) + weight;
  }
  const weightOfAll = (words: readonly string[]): number => words.reduce((sum, word) => sum + weightOf(word), 0);
  const similar = similarAmong(places);

  const remembered = new Map<number, Read>();
  const readAt = (at: number): Read => {
    let read = remembered.get(at);
    if (!read) {
      const words = wordsIn(texts[at] ?? '');
      read = { words, keys: new Set(keysOf(words)) };
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(at, read);
    }
    return read;
  };
  const askedBy = (theirs: ItemWords): Asked[] =>
    keysOf(theirs).map((word) =>
      places.has(word)
        ? { word, weight: weightOf(word), means: [word] }
        : {
            word,
            weight: Math.min(weightOf(word), MAX_UNKNOWN),
            means: /^[a-z]{3,}$/.test(word) ? similar(word) : [],
          },
    );

  // Shared by all searches: an array over all items is faster than a map of the matches, and no search allocates one.
  const scores = new Float64Array(ids.length);
  const metBy = new Uint32Array(ids.length);
  const touched = new Uint32Array(ids.length);
  let search = 0;
  /** The positions of the items with most of the words, best first. */
  const best = (request: readonly Asked[]): [at: number, score: number][] => {
    let match = 0;
    let rest = request.reduce((sum, { weight }) => sum + weight, 0);
    const least = LEAST * rest;
    for (const { word, weight, means } of request.toSorted((a, b) => b.weight - a.weight)) {
      search++;
      // An item without any of the rarer words can no longer reach the limit.
      const isLate = rest < least;
      rest -= weight;
      for (const mean of means) {
        const list = places.get(mean);
        if (!list) continue;
        const adds = mean === word ? weight : ALIKE * weight;
        for (let n = 0; n < list.length; n++) {
          const at = list[n] ?? 0;
          const before = scores[at] ?? 0;
          if (before === 0) {
            if (isLate) continue;
            touched[match++] = at;
          } else if (metBy[at] === search) continue;
          metBy[at] = search;
          scores[at] = before + adds;
        }
      }
    }
    const top: [at: number, score: number][] = [];
    for (const at of touched.subarray(0, match)) {
      const score = scores[at] ?? 0;
      scores[at] = 0;
      if (top.length === MAX_COMPARED && score <= (top.at(-1)?.[1] ?? 0)) continue;
      let place = top.length;
      while (place > 0 && (top[place - 1]?.[1] ?? 0) < score) place--;
      top.splice(place, 0, [at, score]);
      if (top.length > MAX_COMPARED) top.pop();
    }
    return top;
  };

  const find = (theirs: ItemWords, most: number): DescribedItem[] => {
    const request = askedBy(theirs);
    const whole = request.reduce((sum, { weight }) => sum + weight, 0);
    if (whole === 0) return [];
    return best(request)
      .filter(([at]) => contradiction(theirs, readAt(at).words) === '')
      .map(([at, score]) => {
        const share = 0.75 * (score / whole) + 0.25 * Math.min(1, score / (weights[at] || whole));
        return { at, itemId: ids[at] ?? 0, score: Math.round(Math.min(1, share) * 10_000) / 100 };
      })
      .toSorted((a, b) => b.score - a.score || a.itemId - b.itemId)
      .slice(0, most)
      .map(({ at, ...candidate }) => {
        const { keys } = readAt(at);
        return {
          ...candidate,
          shared: request.filter((word) => hasOne(word, keys)).map(({ word }) => plainWord(word)),
        };
      });
  };

  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const againstIt = (theirs: ItemWords, itemId: number): string[] => {
    const at = placeOf.get(itemId);
    const request = askedBy(theirs);
    if (at === undefined) return [];
    const own = readAt(at).keys;
    // Only words that are in the catalog but not in the item can speak for another item.
    const lacking = request.filter((candidate) => candidate.means.length > 0 && !speaksFor(candidate, own));
    if (weighed(lacking) < AGAINST) return [];
    for (const [other] of best(request)) {
      if (other === at) continue;
      const { words, keys } = readAt(other);
      const gained = lacking.filter((candidate) => hasOne(candidate, keys));
      const lost = request.filter((candidate) => hasOne(candidate, own) && !speaksFor(candidate, keys));
      if (weighed(gained) - weighed(lost) < AGAINST) continue;
      const shared = weightOfAll([...own].filter((word) => keys.has(word)));
      const isSibling =
        (makers[at] !== '' && makers[at] === makers[other]) ||
        shared >= SIBLING * Math.min(weights[at] ?? 0, weights[other] ?? 0);
      if (isSibling && contradiction(theirs, words) === '') return gained.map(({ word }) => plainWord(word));
    }
    return [];
  };
  return { find, againstIt, size: ids.length };
}

/** Finds the words of the catalog that a misspelled or shortened word may mean, most frequent first. */
function similarAmong(places: ReadonlyMap<string, Uint32Array>): (word: string) => string[] {
  const byLetter = Map.groupBy(
    [...places.keys()]
      .filter((word) => /^[a-z]{4,}$/.test(word))
      .map((word) => ({ word, consonants: consonantsOf(word), times: places.get(word)?.length ?? 0 }))
      .toSorted((a, b) => b.times - a.times),
    ({ word }) => word.charAt(0),
  );
  const known = new Map<string, string[]>();
  return (word) => {
    const before = known.get(word);
    if (before) return before;
    const isWithoutVowels = !/[aeiou]/.test(word.slice(1));
    const alike: string[] = [];
    for (const { word: other, consonants } of byLetter.get(word.charAt(0)) ?? []) {
      if (alike.length === MAX_SIMILAR) break;
      if (
        other.startsWith(word) ||
        (isWithoutVowels && consonants.startsWith(word)) ||
        (word.length >= 5 && isOneOff(word, other))
      )
        alike.push(other);
    }
    if (known.size > MAX_REMEMBERED) known.clear();
    known.set(word, alike);
    return alike;
  };
}

const weighed = (request: readonly Asked[]): number => request.reduce((sum, { weight }) => sum + weight, 0);
const hasOne = ({ means }: Asked, words: ReadonlySet<string>): boolean => means.some((word) => words.has(word));

/** Whether an item may have what a description says: the word in any form, or a number that is one of its sizes. */
function speaksFor(request: Asked, words: ReadonlySet<string>): boolean {
  if (hasOne(request, words)) return true;
  const { word } = request;
  if (/^[a-z]{1,2}$/.test(word)) return [...words].some((candidate) => candidate.startsWith(word));
  if (/^\d+(?:\.\d+)?$/.test(word)) return [...words].some((candidate) => candidate.endsWith(`:${Number(word)}`));
  return [...words].some((candidate) => isAlike(word, candidate));
}

/** The words, and the sizes as additional words. */
function keysOf({ words, sizes }: ItemWords): string[] {
  return [
    ...words,
    ...[...sizes].flatMap(([name, values]) =>
      name === 'material' || name.includes(' or ') ? [] : [...values].map((value) => `${name}:${value}`),
    ),
  ];
}

const plainWord = (word: string): string => word.replace(/^by:/, '').replace(/^(\w+):(.*)$/, '$2 $1');
