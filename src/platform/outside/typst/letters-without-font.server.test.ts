// Tests which letters are reported as boxes of a PDF.
import { beforeAll, expect, test } from 'vitest';
import { lettersWithoutFont } from './letters-without-font.server.ts';

// The process starts once, which takes a while on a busy computer.
beforeAll(() => lettersWithoutFont('\u{10fff2}'), 120_000);

test('letters of scripts that we have fonts for are no boxes', async () => {
  const text = 'Gauze 4 × 4 ½ “sterile” ≥ 10 μm ✓ · Ул. Ленина · Αθήνα · מרכז · مستشفى · a\u0301\u200b';
  expect(await lettersWithoutFont(text)).toEqual([]);
});

test('letters without a font are named once, in the order of the text', async () => {
  // Letters for private use, because a system may have fonts for any others.
  const text = 'Glove \u{10fff1}\u{10fff0} and \u{10fff1}, <b>&\u{10ffab}';
  const boxes = ['\u{10fff1}', '\u{10fff0}', '\u{10ffab}'];
  expect(await lettersWithoutFont(text)).toEqual(boxes);
  expect(await lettersWithoutFont(text)).toEqual(boxes);
});
