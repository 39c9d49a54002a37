// Which screens and actions a typed text means, decided in the browser at once.

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string) =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether each word of the text is the beginning of a word of the label. */
export function isMeant(text: string, label: string): boolean {
  const words = wordsOf(label);
  const typed = wordsOf(text);
  return typed.length > 0 && typed.every((one) => words.some((word) => word.startsWith(one)));
}
