// The process in which MuPDF reads uploaded PDFs. It inspects every object as a PDF reader would, and also the bytes.
import type { PDFDocument, PDFObject } from 'mupdf';
import { answerJobs } from '#platform/outside/pool-worker.server.ts';

/** The fault of a PDF as words that follow its name, or '' if it only shows pages. */
export type PdfFound = { fault: string };

const PRINT = 'Customers get read-only files. Print it to a new PDF, and upload that.';
const JAVASCRIPT = `contains JavaScript. ${PRINT}`;
const STARTS = `starts programs or opens other files. ${PRINT}`;
const CARRIES = `contains other files. ${PRINT} Upload the files inside separately.`;
const SENDS = `contains a form that sends or loads data. ${PRINT}`;
const PLAYS = `contains sound, video or a 3D scene. ${PRINT}`;
const LINKS = `links to something other than a web page, an email address or a telephone number. ${PRINT}`;
const UNREADABLE = 'cannot be read. It is damaged or unusual. Print it to a new PDF, and upload that.';
const PASSWORD = 'has a password. Save it without one, and upload it again.';

/** Names that must not occur in a file for customers, as a key or a value: types of actions and annotations, and what these need. */
const NAMES: Record<string, string> = {
  JavaScript: JAVASCRIPT,
  Launch: STARTS,
  GoToR: STARTS,
  GoToE: STARTS,
  SubmitForm: SENDS,
  ImportData: SENDS,
  XFA: SENDS,
  EmbeddedFile: CARRIES,
  EmbeddedFiles: CARRIES,
  FileAttachment: CARRIES,
  Rendition: PLAYS,
  RichMedia: PLAYS,
  RichMediaExecute: PLAYS,
};
/** More such names, which are too short or too common to be searched for outside objects. */
const IN_OBJECTS: Record<string, string> = { ...NAMES, JS: JAVASCRIPT, EF: CARRIES, Movie: PLAYS, Sound: PLAYS };
const IN_BYTES = new RegExp(`/(${Object.keys(NAMES).join('|')})(?![A-Za-z])`);
const GOOD_LINK = /^(?:https?:|mailto:|tel:|[^:\\]*$)/i;
const DEEPEST = 100;

/** Whether MuPDF has skipped an object. It reports this only in its output. */
let passedOver = false;
Object.assign(globalThis, {
  $libmupdf_wasm_Module: {
    print: () => {},
    printErr: (line: string) => {
      passedOver ||= line.includes('cannot load object');
    },
  },
});
const { Document, PDFDocument: Pdf } = await import('mupdf');

answerJobs(({ bytes }: { bytes: Uint8Array }): PdfFound => ({ fault: faultOf(bytes) }));

function faultOf(bytes: Uint8Array): string {
  try {
    const document = Document.openDocument(bytes, 'application/pdf');
    if (document.needsPassword()) return PASSWORD;
    if (!(document instanceof Pdf) || document.countPages() === 0) return UNREADABLE;
    passedOver = false;
    return faultInObjects(document) || (passedOver ? UNREADABLE : faultInBytes(bytes));
  } catch {
    return UNREADABLE;
  }
}

/** Returns the fault in the newest state of every object, including compressed, encrypted and unreferenced ones. */
function faultInObjects(document: PDFDocument): string {
  const count = document.countObjects();
  for (let number = 1; number < count; number++) {
    const reference = document.newIndirect(number);
    const object = reference.resolve();
    const fault = faultIn(object, 0);
    if (fault) return fault;
    // A stream may have its bytes in another file.
    if (reference.isStream() && !object.get('F').isNull()) return STARTS;
    object.destroy();
    reference.destroy();
  }
  return faultIn(document.getTrailer(), 0);
}

function faultIn(object: PDFObject, depth: number): string {
  if (object.isIndirect()) return '';
  if (depth > DEEPEST) return UNREADABLE;
  if (object.isName()) return fullName(object.asName());
  let fault = '';
  object.forEach((value, key) => {
    if (fault === '' && typeof key === 'string') fault = fullName(key) || (key === 'URI' ? ofLink(value) : '');
    fault ||= faultIn(value, depth + 1);
  });
  return fault;
}

const fullName = (name: string): string => (Object.hasOwn(IN_OBJECTS, name) ? (IN_OBJECTS[name] ?? '') : '');

function ofLink(value: PDFObject): string {
  const target = value.resolve();
  return target.isString() && !GOOD_LINK.test(target.asString().trim()) ? LINKS : '';
}

/** Returns the fault in bytes that MuPDF does not reach but another reader may: earlier states, and objects that no table lists. */
function faultInBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return fullName(IN_BYTES.exec(text)?.[1] ?? '');
}
