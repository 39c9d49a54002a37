// Builds the document that a customer reads from a stored quote. PDFs are made from it, and sending freezes it (design 2).
import type { Db } from '#platform/db/database.server.ts';
import { customerPictures } from '#core/catalog/items/choose-pictures.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { currentLogo } from '#platform/company/logo.server.ts';
import type { Provisional } from '#core/quoting/provisional/provisional.ts';
import { DOCUMENT_TEXTS, textsOf } from '#core/quoting/quotes/quote-fields.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import type { Logo } from '#platform/shared/logo.ts';
import { add, extend } from '#platform/shared/money.ts';
import { Address } from '#platform/shared/wire.ts';
import type { DocumentLine, LinePicture, QuoteDocument } from './quote-document.ts';

/** Limits for the pictures of a PDF: their total bytes, so that it fits in a mail, and their number, because each one uses memory. */
const PRINT_BYTES = 15 * 1024 * 1024;
const PRINTED = 200;

/** The current quote as the customer sees it: only active lines, nothing internal. Includes the given pictures, next tiers and provisional prices. */
export async function buildDocument(
  db: Db,
  quote: QuoteRecord,
  items: readonly Line[],
  pictures: boolean,
  { nextTiers = [], hanging = null }: { nextTiers?: QuoteDocument['nextTiers']; hanging?: Provisional | null } = {},
): Promise<QuoteDocument> {
  const company = { ...(await loadCompany(db)), logo: await currentLogo(db) };
  const terms = await db
    .selectFrom('terms_text')
    .select(['id', 'body'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const seller = await db
    .selectFrom('app_user')
    .select(['full_name', 'user_name', 'phone'])
    .where('id', '=', quote.sales_rep_id ?? quote.assignee_id ?? quote.owner_id)
    .executeTakeFirstOrThrow();
  const visible = pictures ? (await linePictures(db, items)).pictures : null;
  const provisional = hanging && { text: hanging.text, total: hanging.fallbackTotal };
  return documentOf({ company, terms, seller, pictures: visible, nextTiers, provisional }, quote, items);
}

/** The pictures of the items on active lines, by item. `tooLarge` means that a PDF shows none of them. */
export async function linePictures(
  db: Db,
  items: readonly Line[],
): Promise<{ pictures: Map<number, LinePicture>; tooLarge: boolean }> {
  const results = await customerPictures(db, [
    ...new Set(items.flatMap(({ active, item_id: id }) => (active && id !== null ? [id] : []))),
  ]);
  const sizes = new Map(results.map(({ print, size }) => [print, size]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const tooLarge = sizes.size > PRINTED || bytes > PRINT_BYTES;
  const pictures = new Map(
    results.map(({ itemId, small, large, print }) => [itemId, { small, large, print: tooLarge ? null : print }]),
  );
  return { pictures, tooLarge };
}

type DocumentSources = {
  company: { name: string; address: string; phone: string; email: string; logo?: Logo | null };
  terms: { id: number; body: string };
  seller: { full_name: string; user_name: string; phone: string };
  /** The pictures by item. Null or missing when the quote shows none. */
  pictures?: ReadonlyMap<number, LinePicture> | null;
  nextTiers?: QuoteDocument['nextTiers'];
  provisional?: QuoteDocument['provisional'];
};

/** Builds the document from rows already read. Pure, so that it can process many quotes at once. */
export function documentOf(
  { company, terms, seller, pictures = null, nextTiers = [], provisional = null }: DocumentSources,
  quote: QuoteRecord,
  items: readonly Line[],
): QuoteDocument {
  const visible = items.filter((item) => item.active);
  let numbered = 0;
  const lines = visible.map((item) => {
    if (item.type !== 'section' && item.type !== 'note') numbered += 1;
    return {
      ...documentLine(item),
      lineNo: numbered,
      picture: (item.item_id === null ? null : pictures?.get(item.item_id)) ?? null,
    };
  });
  const counted = lines.filter((line) => !line.optional);
  return {
    company: {
      name: company.name,
      address: company.address,
      phone: company.phone,
      email: company.email,
      logo: company.logo ?? null,
    },
    number: quoteNumber(quote.num, quote.revision),
    num: quote.num,
    revision: quote.revision,
    quoteDate: quote.quote_date,
    validUntil: quote.valid_until,
    currnIdx: quote.currn_idx,
    facilityName: quote.facility_name,
    facilityAcctNo: quote.facility_acct_no,
    billTo: Address.parse(quote.bill_to),
    shipTo: Address.parse(quote.ship_to),
    contact: { name: quote.contact_name, email: quote.contact_email, phone: quote.phone },
    preparedBy: { name: seller.full_name, email: seller.user_name, phone: seller.phone },
    ...textsOf(DOCUMENT_TEXTS, quote),
    message: quote.customer_message,
    pictures: pictures !== null,
    nextTiers,
    provisional,
    lines,
    totals: {
      listTotal: quote.list_total,
      linesTotal: add(...counted.map((line) => line.amount)),
      quoteDiscount: add(...visible.filter((item) => !item.optional).map((item) => item.quote_discount)),
      quoteDiscountPct: quote.discount_pct,
      subtotal: quote.subtotal,
      freightAmount: quote.freight_amount,
      taxRate: quote.tax_rate,
      taxExempt: quote.tax_exempt,
      taxAmount: quote.tax_amount,
      totalAmount: quote.total_amount,
      savings: quote.savings,
    },
    terms: { version: terms.id, text: terms.body },
  };
}

/** One line as the customer sees it. `amount` is before the quote discount. */
export function documentLine(item: Line): DocumentLine {
  return {
    lineNo: item.line_no,
    type: item.type,
    itemNumber: item.item_number,
    customerItemNumber: item.customer_item_number,
    description: item.description,
    qty: item.qty,
    unit: item.unit,
    listPrice: item.list_price,
    unitPrice: item.unit_price,
    amount: item.unit_price === null ? 0 : extend(item.unit_price, item.qty),
    optional: item.optional,
    priceNote: priceNote(item),
    withoutRequest: item.fallback && { unitPrice: item.fallback.unitPrice },
    picture: null,
  };
}

/** The proof step of an account, contract or promotion price. The customer does not see the reason for a manual price. */
function priceNote(item: Line): string {
  const { price_source: from, price_proof: proof } = item;
  if (from !== 'Account' && from !== 'Contract' && from !== 'Promotion') return '';
  const step = from === 'Promotion' ? 'Promotion' : 'Resolved';
  return proof?.findLast((result) => result.step === step && result.amount !== null)?.source ?? '';
}
