// Finds the item numbers that the name of a picture's file may mean (docs/decisions/0234).

/** Words that photographers add to a number for the view. Other words may be part of the number: XS is not XL. */
const VIEWS =
  'front|back|side|left|right|top|bottom|detail|closeup|open|closed|inside|outside|package|packaging|box|label|main|alt|angle|group|use|hero';
const SUFFIXES = [
  new RegExp(`^(.+?)[-_ .]+(?:\\d{1,2}|${VIEWS})$`, 'i'),
  // The form in which systems number a second file of the same name.
  /^(.+?) ?\(\d{1,3}\)$/,
];

/** The numbers in lookup order: the whole stem, then the stem without one suffix. Never just the beginning of a number. */
export function numbersIn(fileName: string): string[] {
  const stem = fileName.replace(/\.[^.]*$/, '').trim();
  const shorter = SUFFIXES.map((suffix) => suffix.exec(stem)?.[1]?.trim()).find(Boolean);
  return [stem, ...(shorter ? [shorter] : [])].filter(Boolean);
}
