// The texts of a quote, each declared once. The API, the database, the history, the board, the documents and the exports use these declarations.

type TextDeclaration = {
  /** The name in the API. The column has the same name in snake case, and '' as its default. */
  name: string;
  label: string;
  /** The maximum length in characters. A text with more than 1,000 has a multi-line field. */
  longest: number;
  /** Who can see it: 'customer' also shows it in the document, 'staff' is everyone who can see the quote, and 'internal' is only internal roles. */
  reader: 'customer' | 'staff' | 'internal';
  /** Whether it is part of the deal, and locked with it while an approval is pending (`may-edit.server.ts`). */
  commercial?: true;
  /** Set when the text has its own place, outside the terms of the board, of the printed board and, for the customer, of the document. */
  ownPlace?: 'contact' | 'message' | 'discount';
  /** Whether New Quote prompts for it, in a single-line field. */
  onNewQuote?: true;
  /** Whether the list export has a column for it and the CRM may receive it (`SOURCES` of `src/addons/crm/mapping.ts`). */
  exported?: true;
  /** Whether a copy of the quote keeps it. */
  copied?: true;
};

const CONTACT = { reader: 'customer', ownPlace: 'contact', copied: true } as const;

/** In the order in which screens and documents show them. */
export const QUOTE_TEXTS = [
  { name: 'contactName', label: 'Contact', longest: 200, ...CONTACT },
  { name: 'contactEmail', label: 'Email', longest: 320, ...CONTACT },
  { name: 'phone', label: 'Phone', longest: 40, ...CONTACT },
  { name: 'paymentTerms', label: 'Payment terms', longest: 100, reader: 'customer', commercial: true },
  { name: 'freightTerms', label: 'Freight terms', longest: 100, reader: 'customer', commercial: true },
  {
    name: 'customerReference',
    label: 'Customer reference',
    longest: 100,
    reader: 'customer',
    onNewQuote: true,
    exported: true,
  },
  { name: 'poNumber', label: 'PO number', longest: 100, reader: 'staff', exported: true },
  {
    name: 'customerMessage',
    label: 'Message to the customer',
    longest: 5000,
    reader: 'customer',
    ownPlace: 'message',
    copied: true,
  },
  { name: 'internalNotes', label: 'Internal notes', longest: 5000, reader: 'internal', copied: true },
  {
    name: 'discountReason',
    label: 'Reason for the quote discount',
    longest: 500,
    reader: 'internal',
    commercial: true,
    ownPlace: 'discount',
  },
] as const satisfies readonly TextDeclaration[];

export type QuoteText = (typeof QUOTE_TEXTS)[number];
export type DocumentText = Exclude<Extract<QuoteText, { reader: 'customer' }>, { ownPlace: string }>;
export type ExportedText = Extract<QuoteText, { exported: true }>;
export type AskedText = Extract<QuoteText, { onNewQuote: true }>;

/** The texts that only internal roles can see, and the texts that everyone who can see the quote can see. */
export const INTERNAL_TEXTS = /* @__PURE__ */ QUOTE_TEXTS.filter((text) => text.reader === 'internal');
export const OPEN_TEXTS = /* @__PURE__ */ QUOTE_TEXTS.filter((text) => text.reader !== 'internal');
/** The texts among the terms of the customer's document. */
export const DOCUMENT_TEXTS = /* @__PURE__ */ QUOTE_TEXTS.filter(
  (text): text is DocumentText => text.reader === 'customer' && !('ownPlace' in text),
);
/** The texts in exports and for the CRM. */
export const EXPORTED_TEXTS = /* @__PURE__ */ QUOTE_TEXTS.filter((text): text is ExportedText => 'exported' in text);

/** An object with a value for each of these texts, by name. */
export function byName<T extends QuoteText, V>(texts: readonly T[], valueOf: (text: T) => V) {
  return Object.fromEntries(texts.map((text) => [text.name, valueOf(text)])) as Record<T['name'], V>;
}

type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S;
export type ColumnOf<T extends QuoteText> = SnakeCase<T['name']>;

export function columnOf<T extends QuoteText>({ name }: T) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ColumnOf<T>;
}

/** The values of these texts in a row, by name. */
export function textsOf<T extends QuoteText>(
  texts: readonly T[],
  row: Record<ColumnOf<T>, string>,
): Record<T['name'], string> {
  return byName(texts, (text) => row[columnOf(text)]);
}

/** An object with a value for each of these texts, by column. */
export function byColumn<T extends QuoteText, V>(texts: readonly T[], valueOf: (text: T) => V) {
  return Object.fromEntries(texts.map((text) => [columnOf(text), valueOf(text)])) as Record<ColumnOf<T>, V>;
}

/** The texts of a new quote. */
export const blankTexts = () => byColumn(QUOTE_TEXTS, () => '');

/** The labels of the fields that users change, including the texts. */
export const QUOTE_LABELS = {
  facilityId: 'Facility',
  salesRepId: 'Sales Rep.',
  csRepId: 'Customer Service Rep.',
  isRepId: 'Inside Sales Rep.',
  quoteDate: 'Quote Date',
  validUntil: 'Valid until',
  freightAmount: 'Freight',
  taxExempt: 'Tax exempt',
  ...byName(QUOTE_TEXTS, ({ label }) => label),
};

/** The labels of the representatives as columns (specification, section 2). */
export const SHORT_LABELS = { salesRepId: 'Sales Rep.', csRepId: 'CS Rep.', isRepId: 'IS Rep.' };
