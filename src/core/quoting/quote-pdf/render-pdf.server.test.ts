// Tests finished PDFs: complete at any length, reproducible, immune to markup, never blocking. pdf-pool.slow.test.ts tests lost processes.
import { describe, expect, test, vi } from 'vitest';
import { aDocument, aDocumentLine } from '#testing/a-document.ts';
import { aPdfProcess, ask } from '#testing/a-pdf-process.server.ts';
import { groupRows, pdfContent } from './pdf-content.server.ts';
import { pdfPool, renderQuotePdf } from './render-pdf.server.ts';

const manyLines = (count: number, description = '') =>
  Array.from({ length: count }, (_, index) => aDocumentLine(index + 1, description ? { description } : {}));
const final = { draft: false };

function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describe('the document', () => {
  test('one line makes one page, a thousand make many', async () => {
    const first = await renderQuotePdf(aDocument(), final);
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(first)).toBe(1);
    expect(pagesOf(await renderQuotePdf(aDocument({ lines: manyLines(1000) }), final))).toBeGreaterThan(20);
    expect(pagesOf(await renderQuotePdf(aDocument({ lines: [] }), final))).toBe(1);
  });

  test('the same quote gives the same bytes, even from another process; a draft differs', async () => {
    const document = aDocument({ lines: manyLines(20) });
    const pdf = await renderQuotePdf(document, final);
    expect(pdf.equals(await renderQuotePdf(document, final))).toBe(true);
    const other = pdfPool(new URL('./pdf-process.server.ts', import.meta.url), { size: 1, timeout: 30_000 });
    expect(pdf.equals((await other.run({ document, draft: false })).pdf)).toBe(true);
    expect(pdf.equals(await renderQuotePdf(document, { draft: true }))).toBe(false);
  });

  test.each([
    '#pagebreak() #panic("no") #let x = 1',
    '$ x^2 $ *bold* _it_ `raw` <label> @ref',
    '#read("/etc/passwd") #image("x.png") \\ \\u{41}',
    '// gone /* gone */ ] [ } { ) ( " \\" \'',
    'مستشفى الملك فيصل · בית חולים · Αθήνα · Ул. Ленина · Siân',
    'X'.repeat(1000),
    Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n'),
  ])('prints markup as plain text: %.30s', async (text) => {
    const address = { line1: text.slice(0, 200), line2: text.slice(0, 200), city: '', state: '', zip: '' };
    const hostile = aDocument({
      company: { name: text, address: text.slice(0, 100), phone: text.slice(0, 40), email: '', logo: null },
      facilityName: text.slice(0, 200),
      billTo: address,
      contact: { name: text.slice(0, 100), email: text.slice(0, 60), phone: '' },
      paymentTerms: text.slice(0, 60),
      message: text,
      lines: [
        aDocumentLine(1, { type: 'section', description: text }),
        aDocumentLine(2, {
          itemNumber: text.slice(0, 100),
          description: text,
          priceNote: text.slice(0, 100),
          unit: text.slice(0, 20),
        }),
        aDocumentLine(3, { type: 'note', description: text }),
      ],
      terms: { version: 1, text },
    });
    const pdf = await renderQuotePdf(hostile, { draft: true });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    // Long texts take more pages, but none adds an empty one.
    expect(pagesOf(pdf)).toBeLessThanOrEqual(text.length < 100 ? 1 : 60);
  });
});

describe('rows that share a page', () => {
  const groups = (lines: ReturnType<typeof manyLines>) =>
    pdfContent(aDocument({ lines }), false).rows.map((row) => `${row.kind} ${row.group}`);

  test('a heading with its first line, a free line with its parent, totals with the last line', () => {
    expect(
      groups([
        aDocumentLine(1, { type: 'section', description: 'Beds' }),
        aDocumentLine(2),
        aDocumentLine(3),
        aDocumentLine(4, { type: 'free', unitPrice: 0 }),
      ]),
    ).toEqual(['section 2', 'line 0', 'line 5', 'line 0', 'subtotal 0', 'total 0', 'total 0']);
  });

  test('a line too high for a page may be split, and is then grouped with no other row', () => {
    const tall = Array.from({ length: 80 }, () => 'x').join('\n');
    expect(pdfContent(aDocument({ lines: [aDocumentLine(1, { description: tall })] }), false).rows).toMatchObject([
      { kind: 'line', group: 1, tall: true },
      { kind: 'total', group: 2 },
      { kind: 'total', group: 0 },
    ]);
  });

  test('a long run of free lines is cut where it would fill a page', () => {
    const rows = documentOfFreeLines(200);
    const largest = Math.max(...rows.map((row) => row.group));
    expect(largest).toBeGreaterThan(5);
    expect(largest).toBeLessThan(40);
    expect(rows.reduce((sum, row) => sum + row.group, 0)).toBe(rows.length);
  });

  function documentOfFreeLines(count: number) {
    const lines = manyLines(count).map((line) => ({ ...line, type: 'free' as const }));
    return groupRows(
      pdfContent(aDocument({ lines }), false).rows.filter((row) => row.kind === 'line'),
      40,
    );
  }
});

describe('the processes', () => {
  test('a long quote does not hold up the server', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    await renderQuotePdf(aDocument({ lines: manyLines(1000, `Fresh ${performance.now()}`) }), final);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  test('several PDFs rendered at the same time are all complete, each with its own pages', async () => {
    const pdfs = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => renderQuotePdf(aDocument({ lines: manyLines(n * 30) }), final)),
    );
    const pages = pdfs.map(pagesOf);
    expect(pages).toEqual(pages.toSorted((a, b) => a - b));
    expect(pages[0]).toBeLessThan(pages[5] ?? 0);
  });

  test('the last process stays warm where that is wanted', async () => {
    const warm = pdfPool(aPdfProcess(), { size: 2, timeout: 20_000, idle: 20, warm: 1 });
    await Promise.all([ask(warm, 'good'), ask(warm, 'good')]);
    await vi.waitFor(() => expect(warm.size).toBe(1), { timeout: 20_000 });
    const [left] = await Promise.allSettled([ask(warm, 'die')]);
    expect([left.status, warm.size]).toEqual(['rejected', 0]);
  });

  test('a process that cannot start is not replaced again and again', async () => {
    const broken = pdfPool(new URL('./no-such-process.mjs', import.meta.url), { size: 1, timeout: 2000, warm: 1 });
    broken.keepWarm();
    await vi.waitFor(() => expect(broken.size).toBe(0), { timeout: 20_000 });
  });

  test('an idle process ends, as does one that uses too much memory; none inherits the server’s environment', async () => {
    process.env['SECRET_OF_THE_SERVER'] = 'known';
    const idle = pdfPool(aPdfProcess(), { size: 2, timeout: 20_000, idle: 20 });
    expect(await ask(idle, 'environment')).toMatchObject({ pages: 0 });
    expect(idle.size).toBe(1);
    await vi.waitFor(() => expect(idle.size).toBe(0), { timeout: 20_000 });
    expect(await ask(idle, 'good')).toMatchObject({ pages: 1 });
    const grown = pdfPool(aPdfProcess(), { size: 2, timeout: 20_000, memory: 1 });
    expect(await ask(grown, 'good')).toMatchObject({ pages: 1 });
    expect(grown.size).toBe(0);
  });
});
