// Chooses the files that fit into a mail, because mail servers refuse larger ones.

/** The maximum total size in bytes of all files of one mail. */
export const MAIL_HOLDS = 25 * 1024 * 1024;

/** Attaches as many of the documents, in order, as fit with the required files. The mail links to the others. */
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
