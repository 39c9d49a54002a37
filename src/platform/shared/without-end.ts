// Cuts signs off the end of a text. A pattern such as /,+$/ looks at each run of commas from each of its places, which takes long for hostile texts.

/** The text without the signs at its end that are among `signs`. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
