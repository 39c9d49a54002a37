// Reads what a customer requests in the words of a mail: '20 cs nitrile gloves M, 4 bx 18g IV caths'. Nothing is dropped, and nothing is guessed.
import { isUnit, readUnit } from '#platform/shared/unit-of-measure.ts';
import { withoutEnd } from '#platform/shared/without-end.ts';

/** `qty` is '' when the quantity is not certain. In that case `description` is the whole text, for the user to check. */
export type RequestLine = { itemNumber: string; qty: string; unit: string; description: string };
/** `aside` contains greetings, signatures and quoted mails, unchanged. */
export type Request = { lines: RequestLine[]; aside: string[] };

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
/** After a number, these words describe an item and are not a quantity. */
const MEASURE =
  /^(?:"|''|°|%|(?:ml|cc|l|liters?|litres?|g|ga|gauge|fr|french|in|inch|inches|ft|feet|mm|cm|m|yd|yds|yards?|oz|lbs?|mg|mcg|kg|gal|gallons?|ply|count|degrees?|percent|way|lumen|layers?|days?|weeks?|months?|years?|hours?|hrs?|minutes?|am|pm|st|nd|rd|th|x|by|v|volts?|w|watts?|amp|amps|series|size)\b)/i;
const COURTESY =
  /^(?:(?:hi|hello|please|pls|kindly|quote|send|ship|order|need|needs|we|i|us|me|also|and|for|want|would|like|to|add|can|could|you|get|price|pricing|on|of|a|the|quantity|qty)[\s,.:]+)+/i;

/** Reads the text of a mail. If a mail only forwards another one, the lines come from the forwarded mail. */
export function readRequest(text: string): Request {
  const all = text.replaceAll('\u00a0', ' ').split(/\r\n|\r|\n/);
  const cut = quotedFrom(all);
  const own = readLines(all.slice(0, cut));
  const quoted = all.slice(cut).filter((line) => line.trim() !== '');
  if (own.lines.some(({ qty }) => qty !== '') || quoted.length === 0)
    return { lines: own.lines, aside: [...own.aside, ...quoted.map((line) => line.trim())] };
  const inner = readLines(quoted.map((line) => line.replace(/^\s*(?:>\s?)+/, '')));
  const words = own.lines.map(({ description }) => description);
  return { lines: inner.lines, aside: [...own.aside, ...words, ...inner.aside] };
}

/** Returns whether most lines of a text are requests in words, each with a quantity and a unit or an item number. */
export function isRequest({ lines }: Request): boolean {
  const sure = lines.filter(({ qty, unit, itemNumber }) => qty !== '' && (unit !== '' || itemNumber !== '')).length;
  return sure > 0 && sure * 2 >= lines.length;
}

const QUOTED = [
  /^\s*>/,
  /^\s*-{2,}\s*(?:original message|forwarded message|begin forwarded message)/i,
  /^\s*begin forwarded message:/i,
  /^\s*_{10,}\s*$/,
  /^\s*on\b.{5,200}\bwrote:\s*$/i,
];
const MAIL_HEADER = /^\s*\*?(?:from|sent|date|to|cc|subject|reply-to):\*?\s/i;

/** The index of the first line of the quoted mails. */
function quotedFrom(lines: readonly string[]): number {
  const at = lines.findIndex((line, place) => {
    const next = lines[place + 1] ?? '';
    return (
      QUOTED.some((pattern) => pattern.test(line)) ||
      // A mail program may break the line that names the author.
      (/^\s*on\b.{5,}/i.test(line) && /^.{0,100}\bwrote:\s*$/i.test(next)) ||
      (/^\s*\*?from:/i.test(line) && MAIL_HEADER.test(next))
    );
  });
  return at < 0 ? lines.length : at;
}

const GREETING = /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|to whom)\b/i;
const FAREWELL =
  /^(?:many |kind |best |warm )?(?:thanks|thank you|thx|regards|cheers|sincerely|respectfully|best)\b[^\d]{0,60}$/i;
const SIGNATURE = /^(?:--\s*$|sent from my\b|get outlook\b|sent via\b)/i;
const CONTACT =
  /@[\w-]+\.\w|https?:|www\.|\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}|\b(?:phone|tel|fax|cell|mobile|ext|office)\b\s*[.:]|\b[A-Z]{2} \d{5}\b/i;

/** A longer line is not a list that someone typed. */
const LONGEST = 2000;
/** A longer part is not a single item. */
const MAX_PART_LENGTH = 300;

function readLines(lines: readonly string[]): Request {
  const read: Request = { lines: [], aside: [] };
  let isOver = false;
  for (const line of lines) {
    const text = line.trim().replaceAll(/\s+/g, ' ');
    if (text === '') continue;
    if (SIGNATURE.test(text) || FAREWELL.test(text)) isOver = true;
    const results = text.length > LONGEST ? [unread(text)] : listedThings(withoutBullet(text)).map(readPart);
    const isSure = results.every(({ qty, unit }) => qty !== '' && unit !== '');
    if (!isSure && (isOver || isTalk(text) || (CONTACT.test(text) && results.every(({ unit }) => unit === ''))))
      read.aside.push(text);
    else read.lines.push(...results);
  }
  return read;
}

/** Removes '- ', '• ', '1. ' or '2) ' at the start of a line. */
const withoutBullet = (text: string): string => text.replace(/^(?:[-–—•·*o▪◦]\s+|\(?\d{1,3}[.)]\s+(?=\S))/, '').trim();

/** Returns whether a text is a greeting, a sentence, or a heading of a mail: words that do not request an item. */
function isTalk(text: string): boolean {
  if (!/[\p{L}\d]/u.test(text) || QUOTED.some((pattern) => pattern.test(text))) return true;
  if (MAIL_HEADER.test(`${text} `) || GREETING.test(text) || SIGNATURE.test(text) || FAREWELL.test(text)) return true;
  if (new RegExp(`^(?:${NUMBER})\\b`).test(withoutBullet(text))) return false;
  return (
    /[.!?:,]$/.test(text) ||
    (/^(?:please|pls|we|i|can|could|let|if|as|see|here|my|our|this|attached|also)\b/i.test(text) && !/\d/.test(text))
  );
}

const UNIT_AHEAD = String.raw`(?=\s{0,3}([a-z]{2,})\b)`;

/** The items that a line lists with commas, 'and' or semicolons. A comma that is not followed by a quantity belongs to a description. */
function listedThings(text: string): string[] {
  const plain = text.replace(COURTESY, (polite) =>
    /\d/.test(text.charAt(polite.length)) || isWordNumber(text.slice(polite.length)) ? '' : polite,
  );
  const between = new RegExp(
    String.raw`(?:\s{0,3}[,;+]\s{0,3}|\s{0,3}[,;]?\s{1,3}(?:and|plus|&)\s{1,3})(?=(?:${NUMBER})${UNIT_AHEAD})`,
    'gi',
  );
  const pieces: string[] = [];
  let from = 0;
  for (const match of plain.matchAll(between)) {
    const word = match[1] ?? '';
    const before = plain.slice(from, match.index);
    const isSplit = isUnit(word) || (!MEASURE.test(word) && /^\d/.test(before) && readPart(before).unit === '');
    // A number or words before a quantity describe its item.
    if (!isSplit || readPart(before).qty === '') continue;
    pieces.push(before);
    from = match.index + match[0].length;
  }
  return [...pieces, plain.slice(from)].map((piece) => withoutEnd(piece, ';,.').trim()).filter((piece) => piece !== '');
}

const isWordNumber = (text: string): boolean => new RegExp(`^(?:${WORDS.join('|')}|a)\\s+[a-z]`, 'i').test(text);

const unread = (text: string): RequestLine => ({ itemNumber: '', qty: '', unit: '', description: text });

/** Reads one item: its quantity and unit before or after the words, or else the whole text as description. */
function readPart(text: string): RequestLine {
  const result = text.length > MAX_PART_LENGTH ? null : (findAmount(text) ?? withoutMarked(text));
  if (!result || amountsIn(result.rest) > 0) return { ...unread(text), itemNumber: isItemNumber(text) ? text : '' };
  const { itemNumber, description } = splitNumber(result.rest);
  if (itemNumber === '' && !/\p{L}{2}/u.test(description)) return unread(text);
  return { itemNumber, qty: result.qty, unit: result.unit, description };
}

const findAmount = (text: string): Amount | null =>
  behindNumber(text) ?? ahead(text) ?? behind(text) ?? afterNumber(text);

/** An item number after the quantity: 'gloves - 20 cs (item 4471-B)'. */
function withoutMarked(text: string): Amount | null {
  const marked = MARKED.exec(text);
  const result = marked && findAmount(text.replace(marked[0], '').trim());
  return result && { ...result, rest: `${result.rest} ${marked[0]}` };
}

type Amount = { qty: string; unit: string; rest: string };

/** '20 cs gloves', '2 bx/100 gloves', '10 x gloves', 'two cases of gloves'. */
function ahead(text: string): Amount | null {
  const word = new RegExp(`^(${WORDS.join('|')})\\s+(?=([a-z]+))`, 'i').exec(text);
  if (word && isUnit(word[2] ?? ''))
    return ahead(`${WORDS.indexOf((word[1] ?? '').toLowerCase()) + 1} ${text.slice(word[0].length)}`);
  const match = new RegExp(`^(${NUMBER})(\\s*)(?:[x×*]\\s+)?(?=\\S)`, 'i').exec(text);
  if (!match) return null;
  const [whole, qty = '', gap] = match;
  const after = text.slice(whole.length);
  const unit = unitAhead(after);
  // '18g', '4x4', '3/4' and '10 ml' describe an item and are not quantities.
  if (unit === '' && (gap === '' || MEASURE.test(after) || /^[-/.,]/.test(after))) return null;
  return { qty, unit, rest: after.slice(unit.length).replace(/^[\s:,–—-]*(?:of\s+)?/i, '') };
}

/** The unit at the start of a text, with its contents: 'bx', 'boxes of 100', 'cs/10 bx', 'bx (100 ea)'. */
function unitAhead(text: string): string {
  const word = /^[a-z]{2,9}\b\.?/i.exec(text)?.[0] ?? '';
  if (!isUnit(word)) return '';
  const held = /^\s*(?:of|\/|\(|@|x)\s*\d[\d,]*(?:\s*[a-z]+)?(?:\s*\))?/i.exec(text.slice(word.length))?.[0] ?? '';
  for (const content of [held, held.replace(/\s{0,3}[a-z]{1,30}\s{0,3}\)?$/i, '')]) {
    const rest = text.slice(word.length + content.length);
    const [reading] = readUnit((word + content).replace('@', '/'));
    const isPack = reading?.holds != null && (reading.of === '' || isUnit(reading.of));
    if (content !== '' && isPack && !/^[\w"'%.-]/.test(rest) && !MEASURE.test(rest.trim())) return word + content;
  }
  return word;
}

const LATER_NUMBER = new RegExp(String.raw`(?<![\w./-]|\d,)(?:${NUMBER})`, 'g');

/** 'gloves nitrile M - 20 cs', 'gloves (20 cs)', 'GL-2210 x 20', 'gloves, qty 20'. */
function behind(text: string): Amount | null {
  const plain = withoutEnd(text, ').\n\t ');
  // The last number may be the contents of a box.
  for (const match of [...plain.matchAll(LATER_NUMBER)].toReversed()) {
    const [qty] = match;
    const after = plain.slice(match.index + qty.length).trim();
    const unit = unitAhead(after);
    if (match.index === 0 || unit !== after) continue;
    const before = plain.slice(0, match.index);
    const rest = withoutEnd(before.replace(/(?:\b(?:qty|quantity)\b[\s.:#]{0,5}|\s[x×*]\s{0,3})$/i, ''), ' \t,:;(–—-');
    const isMarked = /(?:[:–—]|\s-|\b(?:qty|quantity)\b[\s.:#]{0,5}|\s[x×*])\s{0,3}$/i.test(before);
    if (rest !== '' && (unit !== '' || isMarked || isItemNumber(rest))) return { qty, unit, rest };
  }
  return null;
}

/** '901048 2 cs', '901048 x 2': an item number of digits only, which is not a quantity of what follows. */
function behindNumber(text: string): Amount | null {
  const result = /^\d/.test(text) ? behind(text) : null;
  const isSure = result && (result.unit !== '' || /^\S+\s+[x×*]/i.test(text));
  return isSure && isItemNumber(result.rest) && !isItemNumber(result.qty) ? result : null;
}

/** '4471-B: 20 cs gloves', '#4471-B 20 cs gloves'. */
function afterNumber(text: string): Amount | null {
  const match = /^(#?\s{0,3}[\w./-]{1,60})[\s,:;–—-]{1,5}(?=\d)/.exec(text);
  if (!match || !isItemNumber((match[1] ?? '').replace(/^#\s*/, ''))) return null;
  const result = ahead(text.slice(match[0].length));
  return result && result.unit !== ''
    ? { ...result, rest: `#${(match[1] ?? '').replace(/^#\s*/, '')} ${result.rest}` }
    : null;
}

/** Counts the quantities with a unit in a text. '100 ea/bx' describes the contents of a box and is not counted. */
function amountsIn(words: string): number {
  const plain = words.replaceAll(/\d[\d,]{0,11}\s{0,3}[a-z]{0,20}\s{0,3}(?:\/|per)\s{0,3}[a-z]+/gi, '');
  return [...plain.matchAll(new RegExp(`(?<![\\w./-])(?:${NUMBER})\\s*([a-z]{2,9})\\b`, 'gi'))].filter(
    ([, word = '']) => isUnit(word) && !/^(?:ea|each|pc|pcs|pr|ct)$/i.test(word),
  ).length;
}

const MARKED =
  /(?:^|[\s(,])(?:(?:(?:item|catalog|cat|reference|ref|part|sku|product|prod|mfr|mfg|cust|customer|order|reorder)\b\.?\s{0,3}){1,4}(?:#|no\b\.?|number|num\b\.?)?|#)\s{0,3}[:#]?\s{0,3}((?=[\w./-]*\d)[\w][\w./-]{2,})\)?/i;

/** Splits words into the item number among them and the rest. */
function splitNumber(words: string): { itemNumber: string; description: string } {
  const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').replace(/^[\s,:;()–—-]+|[\s,:;(–—-]+$/g, '');
  const marked = MARKED.exec(words);
  if (marked?.[1]) return { itemNumber: marked[1], description: tidy(words.replace(marked[0], ' ')) };
  const tokens = words.split(' ');
  const at = [0, tokens.length - 1].find((place) => isItemNumber(bare(tokens[place] ?? '')));
  if (at === undefined) return { itemNumber: '', description: tidy(words) };
  return { itemNumber: bare(tokens[at] ?? ''), description: tidy(tokens.filter((_, place) => place !== at).join(' ')) };
}

const bare = (token: string): string => withoutEnd(token, '),:;.').replace(/^[(#]+/, '');

/** An item number has five digits or more, or letters and three digits or more, and is not a size such as '1000ml' or '18gx1.25'. */
function isItemNumber(token: string): boolean {
  if (!/^[a-z0-9][a-z0-9-]{3,}$/i.test(token) || /^\d+(?:ml|cc|mg|mcg|mm|cm|g|ga|fr|in|oz|x\d.*)$/i.test(token))
    return false;
  const digits = token.replaceAll(/\D/g, '').length;
  return /^[\d-]+$/.test(token) ? digits >= 5 : digits >= 3;
}
