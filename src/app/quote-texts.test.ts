// Tests every text of a quote in the register: each is saved, read, named, compared, copied, exported and shown to the customer as declared.
import { afterAll, describe, expect, it } from 'vitest';
import { SOURCES } from '#addons/crm/mapping.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { FIELD_WORDS } from '#core/quoting/quote-edit/settle/field-words.ts';
import { buildDocument } from '#core/quoting/quote-pdf/build-document.server.ts';
import { textsOfDocument } from '#core/quoting/quote-pdf/letters-of-document.ts';
import { pdfContent } from '#core/quoting/quote-pdf/pdf-content.server.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { compareRevisions } from '#core/quoting/quote-workflow/revisions/compare-revisions.server.ts';
import { byName, columnOf, QUOTE_LABELS, QUOTE_TEXTS, type QuoteText } from '#core/quoting/quotes/quote-fields.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { anApprovalRequest } from '#testing/factories/quotes.server.ts';

const { server, office, save, read } = await startOffice();
afterAll(() => server.close());
const item = await anItem(server.db);

const valueOf = ({ name }: QuoteText) => `Text of ${name}`;

/** Creates a quote with a discount, because one of the texts is its reason. */
async function aDraft(texts: Partial<Record<QuoteText['name'], string>> = {}) {
  const quote = { facilityId: office.facility.id, discountPct: 1, ...texts };
  const input = { quote, items: [{ itemId: item.id, qty: 1 }] };
  return (await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as: office.rep })).quote;
}
const rowOf = (id: number) => server.db.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const documentOf = async (id: number) => buildDocument(server.db, await rowOf(id), [], false);
const isHeld = (value: unknown, text: string) => JSON.stringify(value).replaceAll('\u200b', '').includes(text);

it('no two texts have the same name or label', () => {
  for (const key of ['name', 'label'] as const)
    expect(new Set(QUOTE_TEXTS.map((text) => text[key])).size).toBe(QUOTE_TEXTS.length);
});

it('a new quote takes every text', async () => {
  const texts = byName(QUOTE_TEXTS, valueOf);
  const input = { quote: { facilityId: office.facility.id, discountPct: 1, ...texts } };
  const { quote } = await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as: office.inside });
  expect((await read(quote.id)).quote).toMatchObject(texts);
});

describe.each(QUOTE_TEXTS)('$name', (text) => {
  const { name, label, longest, reader } = text;
  const place = 'ownPlace' in text ? text.ownPlace : 'terms';
  const value = valueOf(text);

  it('is saved up to its longest length, stored, read and named in the history', async () => {
    const { id, [name]: before = '' } = await aDraft();
    const longText = name.padEnd(longest, 'x');
    expect(await save({ quote: { id, [name]: `${longText}x` } }, office.inside)).toMatchObject({
      status: 422,
      body: { errors: [{ path: `quote.${name}`, message: `At most ${longest} characters` }] },
    });
    expect(await save({ quote: { id, [name]: longText } }, office.inside)).toMatchObject({
      status: 200,
      body: { quote: { [name]: longText } },
    });
    expect(await rowOf(id)).toMatchObject({ [columnOf(text)]: longText });
    const internal = await read(id);
    expect(internal.quote).toMatchObject({ [name]: longText });
    expect(internal.events[0]?.changes).toEqual([{ field: label, before, after: longText }]);
    expect(FIELD_WORDS[name]).toBe(label);
    const open = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id }, { as: office.rep });
    expect([open.quote[name] === longText, isHeld(open, longText)]).toEqual([
      reader !== 'internal',
      reader !== 'internal',
    ]);
  });

  it('is changed by those who may', async () => {
    const { id } = await aDraft();
    // A sales rep enters the reason of a discount, and others read it.
    const isRefused = reader === 'internal' && place !== 'discount';
    expect((await save({ quote: { id, [name]: value } }, office.rep)).status).toBe(isRefused ? 403 : 200);
    await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', id).execute();
    await anApprovalRequest(server.db, { quoteId: id, requestedBy: office.rep.id, roles: ['salesadmin'] });
    const { status } = await save({ quote: { id, [name]: `${value} later` } }, office.inside);
    expect(status).toBe('commercial' in text ? 409 : 200);
  });

  it('is shown to the customer and compared, or neither', async () => {
    const { id } = await aDraft();
    const before = await documentOf(id);
    await save({ quote: { id, [name]: value } }, office.inside);
    const document = await documentOf(id);
    const isShown = reader === 'customer';
    expect([
      isHeld(document, value),
      isHeld(pdfContent(document, false), value),
      isHeld(textsOfDocument(document), value),
    ]).toEqual([isShown, isShown, isShown]);
    const { header } = compareRevisions({ document: before, lines: [] }, { document, lines: [] });
    const shownAs = place === 'contact' ? QUOTE_LABELS.contactName : label;
    expect(header.map(({ field }) => field)).toEqual(isShown ? [shownAs] : []);
    if (!isShown || place !== 'terms') return;
    const { [name as keyof QuoteDocument]: _absent, ...older } = document;
    expect(QuoteDocument.parse(older)).toMatchObject({ [name]: '' });
    expect(pdfContent(document, false).terms).toContainEqual({ label: expect.any(String) as string, value });
  });

  it('is copied, exported and offered to the CRM, or not', async () => {
    const { id, num } = await aDraft();
    await save({ quote: { id, [name]: value } }, office.inside);
    const copy = await server.ok(QuoteEdit.CloneQuote, { id, prices: 'reprice' }, { as: office.inside });
    expect((await read(copy.quote.id)).quote[name] === value).toBe('copied' in text);
    const isColumnOfList = name === 'contactName' || name === 'phone';
    const { bytes } = await server.call(QuoteSearch.ExportQuotes, { num }, { as: office.inside });
    expect(bytes.toString().includes(value)).toBe(isColumnOfList || 'exported' in text);
    const sources: Record<string, object> = SOURCES.Opportunity;
    expect(sources[name]).toEqual('exported' in text ? { label, kind: 'text', max: longest } : undefined);
  });
});
