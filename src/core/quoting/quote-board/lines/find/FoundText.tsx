// A text with the searched word highlighted.
import { piecesOf } from './find-lines.ts';

export function FoundText({ text, word }: { text: string; word: string }) {
  if (word === '') return text;
  return piecesOf(text, word).map((piece, index) =>
    piece.isFound ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>,
  );
}
