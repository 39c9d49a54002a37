// The texts of a quote's PDF, each with a description of its place for the user.
import { DOCUMENT_TEXTS } from '#core/quoting/quotes/quote-fields.ts';
import type { QuoteDocument } from './quote-document.ts';

/** `place` is 'line 3', 'the message' and so on. */
export type PlacedText = { place: string; text: string };

export function textsOfDocument(quote: QuoteDocument): PlacedText[] {
  const { company, billTo, shipTo, contact, preparedBy, terms } = quote;
  const lines = quote.lines.map((line): PlacedText => {
    if (line.type === 'section') return { place: 'a section', text: line.description };
    if (line.type === 'note') return { place: 'a note', text: line.description };
    const { itemNumber, customerItemNumber, description, unit, priceNote } = line;
    return {
      place: `line ${line.lineNo}`,
      text: [itemNumber, customerItemNumber, description, unit, priceNote].join(' '),
    };
  });
  const parts: [string, (string | undefined)[]][] = [
    ['the company', [company.name, company.address, company.phone, company.email]],
    ['the facility', [quote.facilityName, quote.facilityAcctNo, ...Object.values(billTo), ...Object.values(shipTo)]],
    ['the contact', Object.values(contact)],
    ['the representative', Object.values(preparedBy)],
    ['the terms', [...DOCUMENT_TEXTS.map(({ name }) => quote[name]), terms.text]],
    ['the message', [quote.message]],
  ];
  return [...parts.map(([place, texts]) => ({ place, text: texts.join(' ') })), ...lines];
}

/** The characters that a PDF cannot show, and where they are. */
export type Boxes = { letters: string[]; places: string[] };

/** 'The PDF shows boxes for 手 and 套 (line 3), because its fonts do not have them.' Empty when it shows everything. */
export function boxesInWords({ letters, places }: Boxes): string {
  if (letters.length === 0) return '';
  const [what, where] = [firstOf(letters, 20, ' '), firstOf(places, 5, ', ')];
  const them = letters.length === 1 ? 'it' : 'them';
  return `The PDF shows ${letters.length === 1 ? 'a box' : 'boxes'} for ${what} (${where}), because the PDF fonts do not include ${them}. The customer’s page shows ${them}.`;
}

function firstOf(words: readonly string[], count: number, separator: string): string {
  const rest = words.length - count;
  return words.slice(0, count).join(separator) + (rest > 0 ? ` and ${rest} more` : '');
}
