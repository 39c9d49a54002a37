// Finds lines by a typed word in number, description, product, notes and price reason, ignoring case and accents.
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';

/** The text without case and accents, and the original position of each of its characters. */
function folded(text: string): { text: string; places: number[] } {
  let plain = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const bare = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
    plain += bare;
    for (let index = 0; index < bare.length; index += 1) places.push(at);
    at += character.length;
  }
  places.push(at);
  return { text: plain, places };
}

/** The ids of the lines that contain the word, in line order. An empty word matches none. */
export function linesWith(items: readonly QuoteItem[], word: string): number[] {
  const wanted = folded(word.trim()).text;
  if (wanted === '') return [];
  return items
    .filter((item) =>
      [item.itemNumber, item.customerItemNumber, item.description, item.productName, item.notes, item.priceReason].some(
        (text) => folded(text).text.includes(wanted),
      ),
    )
    .map(({ id }) => id);
}

/** Splits a text into the occurrences of the word and the text between them. */
export function piecesOf(text: string, word: string): { text: string; isFound: boolean }[] {
  const wanted = folded(word.trim()).text;
  const whole = folded(text);
  if (wanted === '' || !whole.text.includes(wanted)) return [{ text, isFound: false }];
  const pieces: { text: string; isFound: boolean }[] = [];
  let end = 0;
  for (let at = whole.text.indexOf(wanted); at !== -1; at = whole.text.indexOf(wanted, at + wanted.length)) {
    const [from = 0, to = 0] = [whole.places[at], whole.places[at + wanted.length]];
    if (from > end) pieces.push({ text: text.slice(end, from), isFound: false });
    if (to > from) pieces.push({ text: text.slice(from, to), isFound: true });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isFound: false });
  return pieces;
}
