// What travels from the process that reads a PDF: words with their places, in points from the top left of the page.

export type PdfWord = { text: string; x0: number; x1: number /** The base line. */; y: number; size: number };
export type PdfPage = { number: number; words: PdfWord[] };

/** A table found in a PDF, and what a person should know about how it was read. `fault` says why there is none; else it is ''. */
export type PdfTable = { fault: string; rows: string[][]; notes: string[] };
