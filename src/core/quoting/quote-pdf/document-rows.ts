// Arranges and formats the lines and totals of a sent quote for both the PDF and the public page.
import type { DocumentText } from '#core/quoting/quotes/quote-fields.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { add, compare, formatAmount, formatPrice, percentBelow, pricesAligned } from '#platform/shared/money.ts';
import { cityStateZip } from '#platform/shared/place-words.ts';
import type { Address } from '#platform/shared/wire.ts';
import type { DocumentLine, LinePicture, QuoteDocument } from './quote-document.ts';
import { formatPercent } from '#platform/shared/percent.ts';

/** Returns whether the lines reserve space for pictures. They do only when the quote shows pictures and at least one of its items has one. */
export const keepsPictureRoom = ({ pictures, lines }: QuoteDocument): boolean =>
  pictures && lines.some(({ picture }) => picture !== null);

/** The amount of a free line. */
export const NO_CHARGE = 'no charge';

export type LineRow = {
  kind: 'line';
  lineNo: number;
  itemNumber: string;
  description: string;
  /** The small text under the description: the price source, 'optional, not in total'. */
  remarks: string[];
  qty: string;
  unit: string;
  /** Padded with figure spaces, so that the decimal points of a column line up. */
  price: string;
  /** 'no charge' for a free line. */
  amount: string;
  optional: boolean;
  picture: LinePicture | null;
};

/** `place` distinguishes rows of one kind: the position among the document's lines. */
export type DocumentRow =
  | LineRow
  | { kind: 'section'; title: string; place: number }
  | { kind: 'note'; text: string; place: number }
  | { kind: 'subtotal'; title: string; amount: string; place: number };

/** The rows of the document: its lines, and a subtotal after each section that has lines (without optional lines). */
export function documentRows(document: QuoteDocument): DocumentRow[] {
  const rows: DocumentRow[] = [];
  const inPrice = pricesAligned(document.lines.map(({ unitPrice }) => ({ price: unitPrice })));
  let section: { title: string; amounts: number[] } | null = null;

  const closeSection = (place: number) => {
    if (section && section.amounts.length > 0) {
      const amount = formatAmount(add(...section.amounts), document.currnIdx);
      rows.push({ kind: 'subtotal', title: section.title, amount, place });
    }
  };
  for (const [place, line] of document.lines.entries()) {
    if (line.type === 'section') {
      closeSection(place);
      section = null;
      // Leaves out a heading that has no lines.
      if ((document.lines[place + 1]?.type ?? 'section') === 'section') continue;
      section = { title: line.description, amounts: [] };
      rows.push({ kind: 'section', title: line.description, place });
    } else if (line.type === 'note') {
      rows.push({ kind: 'note', text: line.description, place });
    } else {
      rows.push(lineRow(line, document.currnIdx, inPrice));
      if (!line.optional) section?.amounts.push(line.amount);
    }
  }
  closeSection(document.lines.length);
  return rows;
}

function lineRow(line: DocumentLine, currnIdx: number, inPrice: ReturnType<typeof pricesAligned>): LineRow {
  const free = line.type === 'free';
  return {
    kind: 'line',
    lineNo: line.lineNo,
    itemNumber: line.itemNumber,
    description: line.description,
    remarks: [
      line.customerItemNumber ? `Your item # ${line.customerItemNumber}` : '',
      line.priceNote,
      withoutRequest(line, currnIdx),
      line.optional ? 'optional, not in total' : '',
    ].filter(Boolean),
    qty: formatQuantity(line.qty),
    unit: line.unit,
    price: line.unitPrice === null || free ? '' : inPrice(line.unitPrice, currnIdx),
    amount: free ? NO_CHARGE : formatAmount(line.amount, currnIdx),
    optional: line.optional,
    picture: line.picture,
  };
}

function withoutRequest({ withoutRequest: without }: DocumentLine, currnIdx: number): string {
  if (!without) return '';
  const price = without.unitPrice === null ? 'no price' : formatPrice(without.unitPrice, currnIdx);
  return `provisional, without approval ${price}`;
}

export type TotalRow = { label: string; amount: string; total: boolean };

/** The totals from the sum of the lines down to the total, without steps that change nothing. */
export function totalRows({ totals, currnIdx, provisional }: QuoteDocument): TotalRow[] {
  const row = (label: string, amount: number, total = false) => ({
    label,
    amount: formatAmount(amount, currnIdx),
    total,
  });
  const rows: TotalRow[] = [];
  if (totals.quoteDiscount !== 0) {
    rows.push(
      row('Sum of lines', totals.linesTotal),
      row(
        `Discount on the whole quote${totals.quoteDiscountPct === null ? '' : ` (${totals.quoteDiscountPct}%)`}`,
        -totals.quoteDiscount,
      ),
    );
  }
  rows.push(row('Subtotal', totals.subtotal));
  if (totals.freightAmount !== 0) rows.push(row('Freight', totals.freightAmount));
  if (totals.taxExempt) rows.push({ label: 'Tax', amount: 'exempt', total: false });
  else if (totals.taxAmount !== 0 || totals.taxRate !== 0) rows.push(row(`Tax (${totals.taxRate}%)`, totals.taxAmount));
  rows.push(row(provisional ? 'Total, provisional' : 'Total', totals.totalAmount, true));
  if (provisional?.total != null) rows.push(row('Total without approval', provisional.total));
  return rows;
}

/** 'You save $6,120.10 (11.1%) off list prices of $55,032.50'. Empty when the customer saves nothing. */
export function savingsText({ totals, currnIdx }: QuoteDocument): string {
  if (compare(totals.savings, 0) <= 0) return '';
  const percent = percentBelow(add(totals.listTotal, -totals.savings), totals.listTotal);
  const saved = `You save ${formatAmount(totals.savings, currnIdx)}`;
  return percent > 0
    ? `${saved} (${formatPercent(percent)}) off list prices of ${formatAmount(totals.listTotal, currnIdx)}`
    : saved;
}

/** 'Tier 3 of contract V-2231 is not approved yet. The total of $3,850.00 applies only after approval.' Empty when all prices were firm. */
export function provisionalText({ provisional, totals, currnIdx }: QuoteDocument): string {
  if (!provisional) return '';
  return `${provisional.text} The total of ${formatAmount(totals.totalAmount, currnIdx)} applies only after approval.`;
}

/** '01/20/2027 (60 days)': the last day, and the number of days from the quote date. */
export function validityText({ quoteDate, validUntil }: QuoteDocument): string {
  const days = Math.round((Date.parse(validUntil) - Date.parse(quoteDate)) / 86_400_000);
  return days > 0 ? `${formatDate(validUntil)} (${days} ${days === 1 ? 'day' : 'days'})` : formatDate(validUntil);
}

type Fact = { label: string; value: string };
/** `href` is the link of a phone number or an email address, for media that support links. */
type Party = { label: string; name: string; lines: { text: string; href?: string }[] };

/** The labels of the terms for the customer. They are defined here because the customer's page does not load the labels of the board. */
const TERM_LABELS: Record<DocumentText['name'], string> = {
  paymentTerms: 'Payment terms',
  freightTerms: 'Freight terms',
  customerReference: 'Your reference',
};
const TERMS = Object.keys(TERM_LABELS) as DocumentText['name'][];

/** The head of the document without empty parts: the quote, its recipient and sender, and the terms. */
export function documentHead(quote: QuoteDocument): { facts: Fact[]; parties: Party[]; terms: Fact[] } {
  const { facilityName, contact, preparedBy } = quote;
  const parties = [
    { label: 'Bill to', name: facilityName, lines: addressLines(quote.billTo).map((text) => ({ text })) },
    { label: 'Ship to', name: facilityName, lines: addressLines(quote.shipTo).map((text) => ({ text })) },
    person('Contact', contact),
    person('Prepared by', preparedBy),
  ];
  return {
    facts: facts([
      ['Revision', quote.revision > 1 ? String(quote.revision) : ''],
      ['Date', formatDate(quote.quoteDate)],
      ['Valid until', validityText(quote)],
    ]),
    parties: parties.filter((party) => party.name || party.lines.length > 0),
    terms: facts([
      ['Account', quote.facilityAcctNo],
      ...TERMS.map((name): [string, string] => [TERM_LABELS[name], quote[name]]),
    ]),
  };
}

function person(label: string, { name, email, phone }: QuoteDocument['contact']): Party {
  const lines = [
    { text: phone, href: `tel:${phone.replace(/[^\d+]/g, '')}` },
    { text: email, href: `mailto:${email}` },
  ];
  return { label, name, lines: lines.filter((line) => line.text) };
}

function facts(pairs: [string, string][]): Fact[] {
  return pairs.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value }));
}

/** The company's address and contact details, as lines. */
export function companyLines({ company }: QuoteDocument): string[] {
  return [...company.address.split('\n'), dotted(company.phone, company.email)]
    .map((line) => line.trim())
    .filter(Boolean);
}

export function dotted(...parts: string[]): string {
  return parts.filter(Boolean).join('  ·  ');
}

/** The letter of the company's mark. */
export function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? 'Q').toUpperCase();
}

export function conditionsTitle({ terms }: QuoteDocument): string {
  return `Terms and conditions, version ${terms.version}`;
}

/** An address as lines of an envelope, without empty ones. */
function addressLines(address: Address): string[] {
  return [address.line1, address.line2, cityStateZip(address)].filter(Boolean);
}

const quantityFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

function formatQuantity(qty: number): string {
  return quantityFormat.format(qty);
}
