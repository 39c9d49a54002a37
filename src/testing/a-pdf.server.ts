// A PDF with text where a test puts it, and the same with a password.
import { Document, PDFDocument } from 'mupdf';
import { pdfOf } from '#features/demo/one-page-pdf.server.ts';

/** Points from the left and from the top of the page. */
export type Placed = readonly [x: number, y: number, text: string];

/** Letter pages in Helvetica of 9 points. */
export function aPdf(pages: readonly (readonly Placed[])[]): Buffer {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((placed, at) => {
      const shown = placed.map(([x, y, text]) => `1 0 0 1 ${x} ${792 - y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj`);
      const stream = `BT /F1 9 Tf\n${shown.join('\n')}\nET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ]);
}

/** The options are those of MuPDF: 'encrypt=aes-256,user-password=secret'. */
export function encryptedPdf(bytes: Buffer, options: string): Buffer {
  const document = Document.openDocument(bytes, 'application/pdf');
  if (!(document instanceof PDFDocument)) throw new Error('this is no PDF');
  return Buffer.from(document.saveToBuffer(options).asUint8Array());
}
