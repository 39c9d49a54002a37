// A PDF with a password, for tests.
import { Document, PDFDocument } from 'mupdf';

/** The options are those of MuPDF: 'encrypt=aes-256,user-password=secret'. */
export function encryptedPdf(bytes: Buffer, options: string): Buffer {
  const document = Document.openDocument(bytes, 'application/pdf');
  if (!(document instanceof PDFDocument)) throw new Error('this is no PDF');
  return Buffer.from(document.saveToBuffer(options).asUint8Array());
}
