// Which quote a number means, as people and programs write it.

const NUMBER = /^#?\s*(\d{1,9})(?:-R\d{1,5})?$/i;

/** 104512 of '104512', '#104512' and '104512-R2': a new revision is the same quote. 0: it is no number of a quote. */
export function numberMeant(text: string): number {
  return Number(NUMBER.exec(text)?.[1] ?? 0);
}
