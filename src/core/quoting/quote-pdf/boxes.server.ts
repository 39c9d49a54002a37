// Finds the characters that the PDF of a quote would show as boxes, and their places.
import type { Services } from '#platform/api/services.server.ts';
import { lettersWithoutFont } from '#platform/outside/typst/letters-without-font.server.ts';
import { type Boxes, textsOfDocument } from './letters-of-document.ts';
import type { QuoteDocument } from './quote-document.ts';

/** Returns none when the characters cannot be checked. The failure is logged and does not prevent sending. */
export async function boxesOf({ log }: Pick<Services, 'log'>, document: QuoteDocument): Promise<Boxes> {
  const texts = textsOfDocument(document);
  const letters = await lettersWithoutFont(texts.map(({ text }) => text).join(' ')).catch((error: unknown) => {
    log.warn({ err: error }, 'the letters of a PDF could not be checked');
    return [];
  });
  const places = texts.filter(({ text }) => letters.some((letter) => text.includes(letter))).map(({ place }) => place);
  return { letters, places: [...new Set(places)] };
}
