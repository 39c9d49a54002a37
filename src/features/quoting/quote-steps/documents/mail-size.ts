// Which files a mail carries: mail servers refuse what is larger.

/** All files of one mail together. */
export const MAIL_HOLDS = 25 * 1024 * 1024;

/** As many of the documents, in their order, as the mail holds beside what it must carry; the others are linked. */
export function whatFits<D extends { size: number }>(
  mustCarry: number,
  documents: readonly D[],
): { attached: D[]; linked: D[] } {
  const attached: D[] = [];
  const linked: D[] = [];
  let size = mustCarry;
  for (const document of documents) {
    if (size + document.size <= MAIL_HOLDS) {
      size += document.size;
      attached.push(document);
    } else {
      linked.push(document);
    }
  }
  return { attached, linked };
}
