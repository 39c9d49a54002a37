// Finds columns that would be dropped although their headings hint at something that changes what is stored (docs/decisions/0120).
import { normalHeading, type Wanted } from './header-match.server.ts';

/** What each hint may be, in words after 'may be'. */
const HINTS: readonly { about: string; when: RegExp; but?: RegExp }[] = [
  { about: 'tax', when: /\b(?:tax|taxes|taxable|taxed|vat|gst|exempt|exemption)\b/ },
  { about: 'the currency', when: /\b(?:currency|currencies|currn|curr|usd|eur|euros?|dollars?)\b/ },
  {
    about: 'how many the price is for',
    when: /\bper\b|(?<!\d)\/ ?\d/,
    but: /\bper (?:day|week|month|quarter|year|visit|patient|resident|capita|person)\b/,
  },
  {
    about: 'a pack size',
    when: /\b(?:pack|packs|packed|packing|packsize|package|packages|packaging|pkg|pk|conversion|factor|multiplier|qoe|eaches|contents?|quantity|device count)\b|\b(?:case|box|carton|inner) (?:size|count)\b/,
  },
  {
    about: 'a price',
    when: /\b(?:price|prices|pricing|charge|charges|rate|rates|amount|amounts|amt|fee|fees|cost|costs|msrp|discount|discounts|rebate)\b|^(?:net|list|sell|selling)$/,
    but: /\bcharge ?codes?\b/,
  },
  { about: 'the unit', when: /\b(?:unit|units|uofm|measure|selling uom)\b/ },
  {
    about: 'a day',
    when: /\b(?:date|dates|dated|effective|expir\w*|valid|validity|start|starts|end|ends|begin|begins|until|thru|through)\b|^(?:from|to|day)$/,
  },
  {
    about: 'whether it is active',
    when: /\b(?:active|inactive|status|discontinued|obsolete|enabled|disabled|deleted|closed|terminated|blocked|on hold)\b/,
  },
  {
    about: 'an address',
    when: /\b(?:address|addresses|street|mailing|ship to|shipto|shipping|bill to|billto|billing|delivery)\b/,
    but: /\b(?:e ?mail|email|web|ip|internet|url) address(?:es)?\b|\b(?:shipping|billing|delivery) (?:terms|method|weight)\b/,
  },
];
/** Parts of an address, which matter only for a kind that stores two of them: a bill-to address may be read as the ship-to one. */
const PART = /\b(?:city|town|state|province|zip|zip5|postal|postcode)\b/;

/** 'Tier 2' or 'Level II' as the heading of a price. It matters only where prices or tiers are stored. */
const TIER = /\btiers?\b|\b(?:level|lvl) ?(?:\d|[ivx]+\b)/;

/** What an unmatched heading may be, in words after 'may be'; '' for a heading without such a hint. */
export function hintOf(heading: string, { fields }: Wanted): string {
  const text = normalHeading(heading);
  const raw = heading.toLowerCase();
  if (/[€£¥$]/.test(raw) && text === '') return 'a price';
  const hint = HINTS.find(({ when, but }) => (when.test(text) || when.test(raw)) && !but?.test(text));
  if (hint) return hint.about;
  if ((fields['price'] ?? fields['tier']) && TIER.test(text)) return 'a tier or its price';
  const hasTwo = Object.values(fields).some(({ names }) => names.includes('bill to city'));
  return hasTwo && PART.test(text) ? 'an address' : '';
}

/** A column that nobody has decided: its place, and what it may be. */
export type ColumnQuestion = { at: number; about: string };

type Matched = {
  headings: readonly string[];
  columns: Readonly<Record<string, number>>;
  unused?: readonly number[] | undefined;
};

export const NO_HEADING = 'anything, because it has no heading';

/** The columns whose headings hint at something, and that neither a field nor a person's 'not used' answers. `samples` has first values. */
export function questionsOf(
  { headings, columns, unused = [] }: Matched,
  wanted: Wanted,
  samples: readonly (readonly string[])[],
): ColumnQuestion[] {
  const taken = new Set([...Object.values(columns), ...unused]);
  return headings.flatMap((heading, at) => {
    if (taken.has(at)) return [];
    const about = heading.trim() === '' ? (samples[at]?.length ? NO_HEADING : '') : hintOf(heading, wanted);
    return about === '' ? [] : [{ at, about }];
  });
}

/** The questions in a sentence that stops the check; '' if there are none. */
export function questionSentence(questions: readonly ColumnQuestion[], headings: readonly string[]): string {
  const named = questions.map(({ at, about }) => {
    const heading = headings[at]?.trim();
    return `${heading ? `'${heading}'` : `column ${at + 1}`} may be ${about}`;
  });
  if (named.length === 0) return '';
  return `Say what ${named.length === 1 ? 'this column is, or that it is' : 'each of these columns is, or that it is'} not used: ${named.join(', ')}.`;
}
