// Finds the columns that an import would drop although the user has not marked them as not used (docs/decisions/0028).
import { normalHeading, suffices, type Wanted } from './header-match.server.ts';
import { isUnitWord } from './unit-text.server.ts';

const CHANGES_ROW = 'an instruction to change or delete the row';

/** What a column with an unknown heading may contain. A heading is known if it names a field or is harmless. */
const ANYTHING = 'anything, because its heading is not known';

/** What a column with a hint may contain, as words after 'may be'. */
const HINTS: readonly { about: string; when: RegExp; but?: RegExp }[] = [
  { about: 'tax', when: /\b(?:tax|taxes|taxable|taxed|vat|gst|exempt|exemption)\b/ },
  // 'Price (EUR)' is a price.
  {
    about: 'the currency',
    when: /\b(?:currency|currencies|currn|curr|cur)\b|^(?!.*\b(?:prices?|costs?|amount)\b).*\b(?:usd|eur|euros?|dollars?)\b/,
  },
  {
    about: 'how many the price is for',
    when: /\bper\b|(?<!\d)\/ ?\d/,
    but: /\bper (?:day|week|month|quarter|year|visit|patient|resident|capita|person)\b/,
  },
  {
    about: 'from which quantity the row counts',
    when: /\bbreaks?\b|\b(?:min|minimum) (?:order|quantity|purchase|buy)\b/,
  },
  {
    about: 'a pack size',
    when: /\b(?:pack|packs|packed|packing|packsize|package|packages|packaging|pkg|pk|conversion|factor|multiplier|numerator|denominator|qoe|eaches|contents?|quantity|device count)\b|\b(?:case|box|carton|inner) (?:size|count)\b/,
  },
  {
    about: 'a price',
    when: /\b(?:price|prices|pricing|px|charge|charges|rate|rates|amount|amounts|amt|fee|fees|cost|costs|msrp|disc|discount|discounts|rebate|increase|markup|mark up|uplift|surcharge)\b|^(?:net|list|sell|selling)$/,
    but: /\b(?:charge|px) ?codes?\b|\bcost (?:center|centre|ctr)\b/,
  },
  { about: 'the unit', when: /\b(?:unit|units|uofm|measure|selling uom)\b/ },
  {
    about: 'a day',
    when: /\b(?:date|dates|dated|effective|expir\w*|valid|validity|start|starts|end|ends|begin|begins|until|thru|through)\b|^(?:from|to|day)$/,
  },
  {
    about: 'whether it is active',
    when: /\b(?:active|inactive|status|discontinued|obsolete|enabled|disabled|deleted|closed|terminated|block|blocked|on hold)\b/,
  },
  {
    about: CHANGES_ROW,
    when: /\baction\b|\b(?:change|update|transaction|trans|txn|movement|mvt|document|doc|billing|invoice|order|record|entry|line|row) (?:type|flag|indicator|action|category)\b|\b(?:del|delete|deletes|deletion|remove|void|voided|cancelled|canceled|reversal|reversed)\b|^a c d$|\badd (?:change|delete|drop)\b/,
  },
  {
    about: 'whether the row counts',
    when: /\b(?:exclud\w*|exclusions?|includ\w*|opt(?:ed)? ?(?:out|in)|declined?|withdrawn|withdrew|participat\w*|approved?|approval|accepted|rejected|eligible|eligibility|enrol\w*|qualif\w*)\b/,
  },
  {
    about: 'a letter of commitment',
    when: /\blocs?\b|\bletters? of commitment\b|\bcommitment (?:letter|form)\b/,
    // 'Supply Loc' is a location.
    but: /^(?!locs?\b).*\bloc$/,
  },
  {
    about: 'an address',
    when: /\b(?:address|addresses|street|mailing|ship to|shipto|shipping|bill to|billto|billing|delivery)\b/,
    but: /\b(?:e ?mail|email|web|ip|internet|url) address(?:es)?\b|\b(?:shipping|billing|delivery) (?:terms|method|weight)\b/,
  },
];
/** Parts of an address. They matter only for a kind that stores two addresses, because a bill-to address may be taken for the ship-to address. */
const PART = /\b(?:city|town|state|province|zip|postal|postcode)\b/;

/** 'Level', 'Tier 2' or 'Level II' as the heading of a price. It matters only for kinds that store prices or tiers. */
const TIER = /\btiers?\b|\blevels?\b/;

/** '1-9', '10 to 49' or '50+' as the heading of a price. */
const QUANTITIES = /^(?:qty|quantity)? ?\d[\d,]* ?(?:(?:-|–|to) ?\d[\d,]*|\+|(?:or|and) (?:more|up|over|above))$/;

/**
 * Returns whether values may be prices, whatever their heading, such as the name of a tier or a GPO: half of them are numbers, and one has cents or a
 * currency sign. The others may be 'N/A', or the heading of a second table.
 */
function areAmounts(values: readonly string[]): boolean {
  const numbers = values.filter((value) => /^(?:US)?[$€£]? ?\d[\d,]*(?:\.\d+)?$/.test(value.trim()));
  return numbers.length * 2 >= values.length && numbers.some((value) => /[.$€£]/.test(value));
}
/** Headings of numbers that are not amounts of money. */
const MEASURED =
  /\b(?:weight|wt|length|len|width|height|depth|diameter|dia|volume|vol|cube|size|dimensions?|lbs?|kg|grams?|oz|ml|inch|inches|cm|mm|gauge|version|section|strength|concentration|lat|lon|latitude|longitude|gpci|rvu)\b/;

/** 'New Territory' beside 'Territory': a future value. */
const TO_COME =
  /^(?:new|proposed|future|next|revised|updated|planned|corrected) (?=\w)| (?:new|proposed|future|revised)$/;

/** 'Name 2' and 'Description 2', in which ERPs store the campus or the size. */
const SECOND_LINE = /\b(name|description)(?: line)? [2-9]$/;

/** Words that remove a row from a list, in any column. */
export const GONE =
  /^(?:del|deleted?|removed?|discontinued?|disc|obsolete|terminated?|cancell?ed|void(?:ed)?|expired|inactive|do not (?:use|order|sell))$/i;

/** Words for a return or a credit, in any column. Its quantity may lack the minus sign. */
export const TAKEN_BACK =
  /^(?:credit(?:ed|s| memo| note)?|returns?|returned|refund(?:ed)?|reversal|reversed|rejected|rma|void(?:ed)? .*)$/i;

/** Returns whether a cell of an unmatched column may remove its row from the list. */
export const takesOut = (value: string, fields: Wanted['fields']): boolean =>
  GONE.test(value) || (fields['sold_on'] !== undefined && TAKEN_BACK.test(value));

/** The name or sign of a currency, without an amount. */
const CURRENCY = /^(?:us ?)?(?:dollars?|usd?|euros?|eur|[$€])$/i;

/** Headings for the customer of a row, in a file without account numbers. An answer for the whole file would ignore them. */
const WHO = /\b(?:customer|cust|account|acct|facility|hospital|clinic|ship to|bill to|sold to)\b/;

/** Headings of an agreement, or of the customers that buy under it. */
const AGREEMENT = /\b(?:contracts?|agreements?|gpo|idn|buying group|purchasing group|program|segment|channel)\b/;

/** Headings about the list itself: who printed, wrote or sent it, and when; its lines and pages; and numbers that only the other program uses. */
const OF_THE_LIST = [
  /^(?:print|printed|run|report|reported|export|exported|extract|extracted|generated|created|creation|entered|entry|modified|last modified|changed|last changed|updated|last updated|last update|refreshed|download|downloaded)(?: (?:date|time|date time|datetime|timestamp|on|at|by|user))+$/,
  /^(?:date|time)(?: time)? (?:printed|created|entered|modified|last modified|updated|generated|exported)$/,
  /^(?:last modified|last updated|timestamp|prepared by|author|printed|generated)$/,
  /^(?:page|line|row|record|sequence|seq|sort|sorting|index)(?: (?:number|order|key|index|id))?$/,
  /^page \d+$/,
  /^(?:number|record count|why refused|decision)$/,
  /^(?:(?:internal|record|row|line|object|system|sys|source|unique|external|legacy|database|db|erp|crm|salesforce|parse|scrape) ?)?(?:id|key|guid|uuid|rowid|objectid|recid)$/,
];
/** Headings of free text. */
const TEXTS =
  /^(?:(?:our|your|their|buyer|additional|internal|external|general|other|item|product|line|row|customer|facility|vendor|sales) )?(?:notes?|comments?|remarks?|memo)(?: \d)?$/;
/** Headings of links and pictures of a record. */
const LINKS =
  /^(?:(?:web|home|product|item|company) ?)?(?:site|page|url|link|hyperlink|www|homepage)$|^(?:website|fax|fax number|image|images|picture|pictures|photo|photos|thumbnail)(?: (?:url|link|name|file))?$/;
/** Headings of names and properties of an item that affect neither price nor size. */
const OF_AN_ITEM =
  /^(?:(?:item|product|material|supply|charge code|chargecode|device|procedure|long|short|full|manufacturer|vendor|sales) )*(?:description|name)(?: \d)?$|^(?:manufacturer|vendor|supplier|maker|brand|labeler)(?: (?:name|code|id|number))?$|^(?:item|product|material|gmdn pt)? ?(?:category|sub ?category|class|sub ?class|group|family|line|type|model|colou?r)(?: (?:name|code|description|number))?$|^(?:country of origin|origin|latex|latex free|sterile|hazmat|shelf life|storage)$/;
/** In a price list these may describe the price or the customers: 'Type' Rental, 'Group' North. */
const OF_A_PRICE = /^(?:type|class|group)$/;
/** Headings of the name and address of a facility, beside its account number. */
const OF_AN_ACCOUNT =
  /^(?:(?:customer|account|facility|hospital|clinic|member|company|ship to|sold to|bill to) )?(?:name|name 1|city|town|state|zip|postal code|county|country|region)$|^(?:facility|hospital|clinic|company)$/;
/** Headings of the location of a ZIP code. */
const OF_A_ZIP =
  /^(?:city|town|place|lat|lon|x|y|time ?zone|population|density|(?:state|county|country|province|community|area|region)(?: (?:code|name|id|fips))?)$/;
/** Headings of numbers that affect neither a price nor a pack size. */
const DIMENSIONS =
  /^(?:(?:gross|net|item|product|unit|shipping|case|each) )*(?:weight|wt|length|width|height|depth|diameter|dimensions?|cube|gauge)(?: (?:lbs?|kg|g|oz|in|inch|inches|cm|mm))?$/;

/** Returns whether a column is only about the list itself. 'Print Date' is, although it looks like a day. */
const isOfTheList = (text: string): boolean => OF_THE_LIST.some((pattern) => pattern.test(text));

/**
 * Returns whether a column with this heading (normalized by `normalHeading`) can be dropped without losing data. It must describe a record that the
 * file identifies by number: a name beside an account number is redundant, but a name alone may say whose price it is.
 */
function isHarmless(text: string, columns: Matched['columns'], { fields }: Wanted): boolean {
  if ((fields['price'] ?? fields['promo_price']) && OF_A_PRICE.test(text)) return false;
  if (TEXTS.test(text) || LINKS.test(text)) return true;
  const has = (...fields: string[]): boolean => fields.some((field) => columns[field] !== undefined);
  return (
    (has('item_number', 'manufacturer_no') && (OF_AN_ITEM.test(text) || DIMENSIONS.test(text))) ||
    (has('acct_no', 'member_id', 'hin', 'gln') && OF_AN_ACCOUNT.test(text)) ||
    (has('zip5') && OF_A_ZIP.test(text))
  );
}

/** Returns what the values of a column may be, whatever its heading; '' if nothing that matters. */
function aboutValues(values: readonly string[], heading: string, { fields }: Wanted): string {
  if (values.some((value) => takesOut(value.trim(), fields))) return CHANGES_ROW;
  if (fields['currn_idx'] && values.length > 0 && values.every((value) => CURRENCY.test(value.trim())))
    return 'the currency';
  const hasUnits = ['unit', 'base_unit', 'factor'].some((field) => Object.hasOwn(fields, field));
  return hasUnits && values.length > 0 && !PART.test(heading) && values.every(isUnitWord) ? 'a unit' : '';
}

/** Returns what an unmatched heading may be, as words after 'may be'; '' for a heading without a hint. */
export function hintOf(heading: string, { fields }: Wanted): string {
  const text = normalHeading(heading);
  const raw = heading.toLowerCase();
  if (/[€£¥$]/.test(raw) && text === '') return 'a price';
  const hint = HINTS.find(({ when, but }) => (when.test(text) || when.test(raw)) && !but?.test(text));
  if (hint) return hint.about;
  const current = text.replace(TO_COME, '');
  const other = current === text ? undefined : Object.values(fields).find(({ names }) => names.includes(current));
  if (other) return `another ${other.label}`;
  const rest = SECOND_LINE.exec(text)?.[1];
  if (rest !== undefined && Object.hasOwn(fields, rest)) return `more of the ${rest}`;
  if ((fields['price'] ?? fields['tier']) && TIER.test(text)) return 'a tier or its price';
  if (fields['tier_no'] && TIER.test(text)) return 'a tier';
  if (fields['price'] && AGREEMENT.test(text)) return 'the agreement that the price is for';
  if (fields['price'] && QUANTITIES.test(raw.trim())) return 'the price of a quantity';
  const hasTwo = Object.values(fields).some(({ names }) => names.includes('bill to city'));
  return hasTwo && PART.test(text) ? 'an address' : '';
}

/** An undecided column: its position, and what it may be. */
export type ColumnQuestion = { at: number; about: string };

type Matched = {
  headings: readonly string[];
  columns: Readonly<Record<string, number>>;
  unused?: readonly number[] | undefined;
};

export const NO_HEADING = 'anything, because it has no heading';

/** Returns 'another price' for a second column with the heading of a field, otherwise ''. */
function anotherOf(text: string, { fields }: Wanted): string {
  const field = Object.values(fields).find(({ names }) => names.includes(text));
  return field ? `another ${field.label}` : '';
}

/**
 * Returns the columns that have no field, are not marked as not used, are not empty, and are not known to be harmless. `samples` contains the first
 * values of each column; a column without samples is empty.
 */
export function questionsOf(
  { headings, columns, unused = [] }: Matched,
  wanted: Wanted,
  samples: readonly (readonly string[])[],
): ColumnQuestion[] {
  const taken = new Set([...Object.values(columns), ...unused]);
  // A user who chooses another column as the price has looked at the rest.
  const isGuessed = ['price', 'cost'].some((field) => {
    const heading = normalHeading(headings[columns[field] ?? -1] ?? '');
    return wanted.fields[field]?.names.includes(heading);
  });
  const { acct_no: account, member_id: member, scope, price } = wanted.fields;
  const { otherColumns = [] } = wanted;
  // Until the user has chosen the required columns, any other column may be one of them.
  const isReadable = suffices(new Map(Object.entries(columns)), wanted);
  const asksWho = (account ?? price) && !member && !scope && columns['acct_no'] === undefined;
  return headings.flatMap((heading, at) => {
    const values = samples[at] ?? [];
    if (taken.has(at) || values.length === 0) return [];
    const text = normalHeading(heading);
    if (isOfTheList(text) || (otherColumns !== 'ignored' && otherColumns.includes(text))) return [];
    const about =
      (heading.trim() === '' ? NO_HEADING : hintOf(heading, wanted)) ||
      (asksWho && WHO.test(text) ? 'the customer' : '') ||
      (isGuessed && !MEASURED.test(text) && areAmounts(values) ? 'a price' : '') ||
      aboutValues(values, text, wanted) ||
      (!isReadable || otherColumns === 'ignored' || isHarmless(text, columns, wanted)
        ? ''
        : anotherOf(text, wanted) || ANYTHING);
    return about === '' ? [] : [{ at, about }];
  });
}

/** The maximum number of columns in a sentence, because a fee schedule has one for each state. */
const MAX_NAMED = 12;

/** Returns the questions as a sentence that stops the check; '' if there are none. */
export function questionSentence(questions: readonly ColumnQuestion[], headings: readonly string[]): string {
  const nameOf = (at: number): string => {
    const heading = headings[at]?.trim();
    return heading ? `'${heading}'` : `column ${at + 1}`;
  };
  // Columns that may affect a price come first, because a sentence names only some.
  const hinted = questions.filter(({ about }) => about !== ANYTHING);
  const unknown = questions.filter(({ about }) => about === ANYTHING);
  const named = [
    ...hinted.map(({ at, about }) => `${nameOf(at)} may be ${about}`),
    ...unknown.map(({ at }) => `${nameOf(at)} is not a known heading`),
  ];
  if (named.length === 0) return '';
  const more = named.length - MAX_NAMED;
  const list = more > 1 ? `${named.slice(0, MAX_NAMED).join(', ')}, and ${more} more` : named.join(', ');
  return `Choose what ${named.length === 1 ? 'this column is, or mark it as' : 'each of these columns is, or mark it as'} not used: ${list}.`;
}

/** A text above the header that the rows do not repeat, and what it may say about all of them. */
export type AboveQuestion = { line: number; text: string; about: string };

const DAY =
  /\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:\d{1,2},? )?\d{4}/i;
type Fields = Wanted['fields'];
/**
 * What a text above the header may say about all rows. `stored` returns the field whose column states it more precisely, 'none' if no column can, or
 * undefined for a kind that does not store it.
 */
const ABOVE: readonly { about: string; stored: (fields: Fields) => string | undefined; when: RegExp; and?: RegExp }[] =
  [
    {
      about: 'the currency of all rows',
      stored: (fields) => (fields['price'] && fields['currn_idx'] ? 'currn_idx' : undefined),
      when: /\b(?:eur|euros?|gbp|cad|mxn|chf)\b|[€£]/i,
    },
    {
      // List prices are always in dollars. Prices of accounts and contracts are in the currency of the account or contract.
      about: 'the currency of all rows',
      stored: (fields) => (fields['price'] && (fields['acct_no'] ?? fields['contract']) ? 'currn_idx' : undefined),
      when: /\busd\b|\bdollars?\b|\bus ?\$/i,
    },
    {
      about: 'the day from which or to which all rows count',
      stored: (fields) => Object.entries(fields).find(([, { names }]) => names.includes('effective date'))?.[0],
      when: DAY,
      and: /\b(?:effective|eff|valid|starting|starts|beginning|begins|from|through|until|expires?|expiration)\b/i,
    },
    {
      about: 'the unit of all prices',
      stored: (fields) => (fields['price'] && fields['unit'] ? 'unit' : undefined),
      when: /\b(?:prices?|priced|pricing)\b.*(?:\bper\b|\/) ?(?:\d|[a-z])/i,
    },
    {
      about: 'a discount or surcharge on all prices',
      stored: (fields) => (fields['price'] ? 'none' : undefined),
      when: /\d ?%/,
      and: /\b(?:less|minus|off|discount|net of|plus|surcharge|add)\b/i,
    },
  ];

/** Returns what the texts above the header may say about all rows, unless a column states it. */
export function questionsAbove(
  above: readonly { line: number; text: string }[],
  columns: Readonly<Record<string, number>>,
  { fields }: Wanted,
): AboveQuestion[] {
  return above.flatMap(({ line, text }) => {
    const open = ABOVE.filter(({ stored, when, and }) => {
      const field = stored(fields);
      return field !== undefined && !Object.hasOwn(columns, field) && when.test(text) && (and?.test(text) ?? true);
    });
    const about = [...new Set(open.map((entry) => entry.about))].join(', and ');
    return about === '' ? [] : [{ line, text, about }];
  });
}

const questionsInWords = (questions: readonly AboveQuestion[]): string =>
  questions.map(({ line, text, about }) => `line ${line}, '${text}', may be ${about}`).join('; ');

/** Returns the questions about texts above the header at `headerLine` as sentences that stop the check; '' if there are none. */
export function aboveSentence(questions: readonly AboveQuestion[], headerLine: number): string {
  return questions.length === 0
    ? ''
    : `Text above the headings is not read, and ${questionsInWords(questions)}. Put it in a column or in the options of the check, then confirm that the headings are in line ${headerLine}.`;
}

/** Returns the same texts as notes that stay with the import, once the user has confirmed the header. */
export const aboveNotes = (questions: readonly AboveQuestion[]): string[] =>
  questions.length === 0 ? [] : [`Above the headings, and not read: ${questionsInWords(questions)}.`];
