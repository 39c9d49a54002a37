// Tests which PDFs customers may receive. Each hostile PDF is built here, as an attacker would.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { onePagePdf, pdfOf } from '#demo/one-page-pdf.server.ts';
import { encryptedPdf } from '#testing/encrypted-pdf.server.ts';
import { customerFileType, pdfPool } from './check-customer-upload.server.ts';

const log = { error: () => {} };
const check = async (bytes: Buffer, name = 'bed.pdf') => customerFileType(name, bytes, log);

const PAGES = ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'];
/** Returns a PDF with one page, more entries in its catalog, and more objects from number 4 on. */
const withMore = (catalog: string, ...objects: string[]) =>
  pdfOf([`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`, ...PAGES, ...objects]);

test.each<[what: string, bytes: Buffer]>([
  ['a page of text', onePagePdf(['A bed', 'with rails'])],
  ['a page to open at', withMore('/OpenAction [3 0 R /Fit]')],
  ['an action that goes to a page', withMore('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>')],
  [
    'links to a page and an address',
    withMore('', '<< /S /URI /URI (https://example.com) >>', '<< /URI (mailto:a@b.c) >>'),
  ],
  ['a form to fill in', withMore('/AcroForm << /Fields [4 0 R] >>', '<< /FT /Tx /T (Name) >>')],
  ['words about tricks', withMore('', '(Launch the JavaScript and SubmitForm)')],
  ['objects in a stream', compressed('<< /Type /Example /Note (harmless) >>')],
  ['a key for the owner only', encryptedPdf(onePagePdf(['Read me']), 'encrypt=aes-256,owner-password=secret')],
])('%s is taken', async (_what, bytes) => {
  expect(await check(bytes)).toEqual({ mediaType: 'application/pdf' });
});

const SCRIPT = '<< /S /JavaScript /JS (app.alert(1)) >>';

test.each<[what: string, bytes: Buffer, fault: string]>([
  ['JavaScript on opening', withMore(`/OpenAction ${SCRIPT}`), 'contains JavaScript'],
  ['JavaScript that nothing refers to', withMore('', SCRIPT), 'contains JavaScript'],
  [
    'JavaScript by its names',
    withMore('/Names << /JavaScript << /Names [(a) 4 0 R] >> >>', SCRIPT),
    'contains JavaScript',
  ],
  ['JavaScript on a page', withMore('', `<< /AA << /O ${SCRIPT} >> >>`), 'contains JavaScript'],
  ['JavaScript after a page', withMore('', `<< /S /GoTo /D [3 0 R /Fit] /Next [${SCRIPT}] >>`), 'contains JavaScript'],
  ['a name that is written in codes', withMore('/OpenAction << /S /J#61vaScript /J#53 (x) >>'), 'contains JavaScript'],
  ['a program to start', withMore('/OpenAction << /S /Launch /F (cmd.exe) >>'), 'starts programs'],
  [
    'another file to open',
    withMore('/OpenAction << /S /GoToR /F (\\\\\\\\host\\\\a.pdf) /D [0 /Fit] >>'),
    'opens other files',
  ],
  [
    'a stream from another file',
    withMore('', '<< /Length 0 /F (\\\\\\\\host\\\\a) >>\nstream\n\nendstream'),
    'opens other files',
  ],
  ['a form that sends', withMore('', '<< /S /SubmitForm /F (https://example.com) >>'), 'a form that sends'],
  ['a form that loads', withMore('', '<< /S /ImportData /F (a.fdf) >>'), 'a form that sends or loads'],
  ['a form of the other kind', withMore('/AcroForm << /XFA 4 0 R >>', '()'), 'a form that sends'],
  [
    'a file inside',
    withMore('', '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>', '<< /Length 0 >>\nstream\n\nendstream'),
    'contains other files',
  ],
  ['a portfolio', withMore('/Names << /EmbeddedFiles << /Names [] >> >>'), 'contains other files'],
  ['a film', withMore('', '<< /Type /Annot /Subtype /RichMedia >>'), 'sound, video'],
  ['a link to a script', withMore('', '<< /S /URI /URI (javascript:alert(1)) >>'), 'links to something other'],
  ['a link to a file', withMore('', '<< /S /URI /URI (file:///C:/a) >>'), 'links to something other'],
  ['a link to a share', withMore('', '<< /S /URI /URI (\\\\\\\\host\\\\a) >>'), 'links to something other'],
  ['JavaScript in a stream of objects', compressed(SCRIPT), 'contains JavaScript'],
  ['JavaScript in such a stream behind a predictor', compressed(SCRIPT, 'predictor'), 'contains JavaScript'],
  ['JavaScript in such a stream in hexadecimal', compressed(SCRIPT, 'hexadecimal'), 'contains JavaScript'],
  [
    'JavaScript under a key for the owner',
    encryptedPdf(compressed(SCRIPT), 'encrypt=aes-256,owner-password=secret'),
    'contains JavaScript',
  ],
  ['a password', encryptedPdf(onePagePdf(['Read me']), 'encrypt=aes-256,user-password=secret'), 'has a password'],
  [
    'an update that adds JavaScript',
    updated(`<< /Type /Catalog /Pages 2 0 R /OpenAction ${SCRIPT} >>`),
    'contains JavaScript',
  ],
  [
    'an update that takes it away',
    updated('<< /Type /Catalog /Pages 2 0 R >>', `/OpenAction ${SCRIPT}`),
    'contains JavaScript',
  ],
  [
    'JavaScript in a comment',
    Buffer.concat([onePagePdf(['A']), Buffer.from(`% 9 0 obj ${SCRIPT}\n`)]),
    'contains JavaScript',
  ],
  ['nothing but a beginning', Buffer.from('%PDF-1.7 text'), 'cannot be read'],
  ['a nest without end', withMore('', '['.repeat(5000)), 'cannot be read'],
])('%s is refused', async (_what, bytes, fault) => {
  const type = await check(bytes);
  expect(type).toEqual({ refused: expect.stringContaining('bed.pdf ') });
  expect(type).toEqual({ refused: expect.stringContaining(fault) });
});

test('other files are taken and refused as everywhere', async () => {
  expect(await check(Buffer.from('item;qty\n'), 'items.csv')).toEqual({ mediaType: 'text/csv' });
  expect(await check(Buffer.from('MZ'), 'bed.pdf')).toEqual({ refused: expect.stringContaining('program') });
});

test('a check that breaks refuses for now, and says why to the log', async () => {
  const lines: unknown[] = [];
  const broken = pdfPool(new URL('./nothing-here.ts', import.meta.url));
  const logger = { error: (line: unknown) => void lines.push(line) };
  await expect(customerFileType('bed.pdf', onePagePdf(['A']), logger, broken)).rejects.toMatchObject({ status: 503 });
  expect(lines).toHaveLength(1);
});

/** Objects 1 to 4 in an object stream (5), with a cross-reference stream (6). */
function compressed(fourth: string, by: '' | 'predictor' | 'hexadecimal' = ''): Buffer {
  const objects = [`<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>`, ...PAGES, fourth];
  const starts = objects.map((_, at) => objects.slice(0, at).join(' ').length + (at === 0 ? 0 : 1));
  const header = `${objects.map((_, at) => `${at + 1} ${starts[at]}`).join(' ')} `;
  const plain = Buffer.from(header + objects.join(' '));
  const width = plain.length;
  // PNG's predictor 'Sub': each byte is the difference from the previous one.
  const subtracted = Buffer.from([1, ...plain.map((byte, at) => byte - (plain[at - 1] ?? 0))]);
  const parms = by === 'predictor' ? `/DecodeParms << /Predictor 11 /Columns ${width} >>` : '';
  const packed = deflateSync(by === 'predictor' ? subtracted : plain);
  const body = by === 'hexadecimal' ? Buffer.from(`${packed.toString('hex')}>`) : packed;
  const filter = by === 'hexadecimal' ? '[/ASCIIHexDecode /FlateDecode]' : '/FlateDecode';
  const begin = Buffer.from('%PDF-1.7\n');
  const stream = streamOf(5, `/Type /ObjStm /N 4 /First ${header.length} /Filter ${filter} ${parms}`, body);
  const start = begin.length + stream.length;
  const entries = Buffer.from(
    [[0, 0, 0], ...[0, 1, 2, 3].map((at) => [2, 5, at]), [1, begin.length, 0], [1, start, 0]].flatMap(
      ([kind = 0, at = 0, index = 0]) => [kind, at >> 8, at & 255, index],
    ),
  );
  const table = streamOf(6, '/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R', entries);
  return Buffer.concat([begin, stream, table, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

function streamOf(number: number, dictionary: string, body: Buffer): Buffer {
  const head = `${number} 0 obj\n<< ${dictionary} /Length ${body.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\nendstream\nendobj\n')]);
}

/** Returns an incremental update that replaces the catalog. */
function updated(catalog: string, before = ''): Buffer {
  const original = withMore(before);
  const former = original.lastIndexOf('xref\n0 ');
  const object = `1 0 obj\n${catalog}\nendobj\n`;
  const table = `xref\n1 1\n${String(original.length).padStart(10, '0')} 00000 n \ntrailer << /Size 4 /Root 1 0 R /Prev ${former} >>\n`;
  return Buffer.concat([
    original,
    Buffer.from(`${object}${table}startxref\n${original.length + object.length}\n%%EOF\n`),
  ]);
}
