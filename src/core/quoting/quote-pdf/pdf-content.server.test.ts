// Tests the estimates before Typst typesets a quote: the maximum width of its texts, and which rows need no measuring.
import path from 'node:path';
import { expect, test } from 'vitest';
import { typstIn } from '#platform/outside/typst/typst.server.ts';
import { aDocument, aDocumentLine } from '#testing/a-document.ts';
import { pdfContent, WIDTHS, widthOf } from './pdf-content.server.ts';

test('no text is wider than its estimate', () => {
  const letters = [...WIDTHS.keys()];
  // Each character alone and next to every other one, because kerning changes the width of some pairs.
  const texts = letters.flatMap((letter) => [letter.repeat(20), letters.flatMap((other) => [letter, other]).join('')]);
  const measured = widthsInPoints(texts);
  const tooWide = texts.filter((text, index) => (measured[index] ?? Infinity) > widthOf(text));
  expect(tooWide).toEqual([]);
  expect(widthOf('手')).toBe(Infinity);
});

test('a row whose texts fit on one line gets its height without being measured', () => {
  const line = { itemNumber: '5520-118842', qty: 1_250, unit: 'CS', unitPrice: 11_159.38 };
  const heights = (description: string) =>
    pdfContent(aDocument({ lines: [aDocumentLine(1, { ...line, description })] }), false).rows.map((row) => row.height);
  expect(heights('Exam glove, nitrile, powder free, 9.5 in, medium')).toEqual([13.83, null, null]);
  expect(heights('Exam glove, nitrile, '.repeat(6))[0]).toBeNull();
  expect(heights('Exam glove 手')[0]).toBeNull();
});

test('only lines with a picture are as high as one, and without any picture there is no room for them', () => {
  const picture = { small: 1, large: 2, print: 3 };
  const lines = [aDocumentLine(1, { picture }), aDocumentLine(2)];
  const content = (pictures: boolean, files: number[]) => {
    const { rows, ...rest } = pdfContent(aDocument({ lines, pictures }), false, false, new Set(files));
    return [rest.pictures, ...rows.slice(0, 2).map((row) => row.height)];
  };
  expect(content(true, [3])).toEqual([true, 42, 13.83]);
  // The picture is too large for the PDF, or its file is lost.
  expect(content(true, [])).toEqual([false, 13.83, 13.83]);
  expect(content(false, [3])).toEqual([false, 13.83, 13.83]);
});

test('an email address breaks where one of its words ends, and nowhere else', () => {
  const email = 'purchasing-department@st-lukes-hospital.example.org';
  const party = (text: string) =>
    pdfContent(aDocument({ contact: { name: '', email: text, phone: '' } }), false).parties[2]?.lines[0];
  expect(party(email)?.split('\u200b')).toEqual([
    'purchasing-',
    'department@',
    'st-',
    'lukes-',
    'hospital',
    '.example',
    '.org',
  ]);
  expect(party('jo@example.org')).toBe('jo@example.org');
  // A single word that is too long for the column is split anyway.
  expect(party('x'.repeat(40))?.split('\u200b')).toHaveLength(5);
});

/** Measures texts as Typst sets them in the size and font of the lines. */
function widthsInPoints(texts: string[]): number[] {
  const compiler = typstIn(import.meta.dirname);
  compiler.mapShadow(path.join(import.meta.dirname, 'texts.json'), Buffer.from(JSON.stringify(texts)));
  const source = `#set text(font: "Inter", size: 8pt, fallback: false)
    #let width(words) = calc.max(measure(words).width.pt(), measure(text(number-width: "tabular", words)).width.pt())
    #context [#metadata(json("texts.json").map(width)) <widths>]`;
  const compiled = compiler.compile({ mainFileContent: source });
  if (!compiled.result) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics));
  const [result] = compiler.query(compiled.result, { selector: '<widths>' }) as [{ value: number[] }];
  return result.value;
}
