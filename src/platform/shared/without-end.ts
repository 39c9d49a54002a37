// Removes characters from the end of a text. A pattern such as /,+$/ tries each run of commas from each of its positions, which is slow for hostile
// texts.

/** Returns the text without the trailing characters that are in `signs`. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
