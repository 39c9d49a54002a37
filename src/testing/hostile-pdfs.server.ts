// PDFs that refer to themselves, unpack without end, or act.
import { deflateSync } from 'node:zlib';
import { onePagePdf, pdfOf } from '#demo/one-page-pdf.server.ts';
import { aHostileFile, type Bytes, type HostileFile } from './hostile-file.server.ts';

const MB = 1024 * 1024;
const fileOf = (text: string) => Buffer.from(text);

export function hostilePdfs(): HostileFile[] {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>';
  const pdf = (pages: string, leaf = page, ...more: string[]) =>
    pdfOf(['<< /Type /Catalog /Pages 2 0 R /Names 2 0 R >>', pages, leaf, ...more]);
  const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
  const stream = (dictionary: string, body: Buffer | string) =>
    `<< ${dictionary} /Length ${body.length} >>\nstream\n${body.toString('latin1')}\nendstream`;
  const content =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /X 4 0 R >> >> >>';
  const bomb = () => deflateSync(deflateSync(Buffer.alloc(64 * MB)));
  const good = onePagePdf(['A']).toString('latin1');
  return (
    [
      ['pages that hold themselves', pdf('<< /Type /Pages /Kids [2 0 R] /Count 1 >>')],
      ['a page that holds its pages', pdf(PAGES, '<< /Type /Pages /Kids [2 0 R] /Parent 3 0 R /Count 1 >>')],
      ['2³¹ pages', pdf('<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>')],
      ['less than no pages', pdf('<< /Type /Pages /Kids [3 0 R] /Count -1 >>')],
      ['one page 100,000 times', () => pdf(`<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`)],
      ['lists nested without end', () => pdf(PAGES, page, '['.repeat(200_000))],
      ['dictionaries nested without end', () => pdf(PAGES, page, '<< /A '.repeat(100_000))],
      ['an object that is itself', pdf(PAGES, page, '4 0 R')],
      ['objects that are each other', pdf(PAGES, page, '5 0 R', '4 0 R')],
      ['a length that is itself', pdf(PAGES, content, '<< /Length 4 0 R >>\nstream\nq Q\nendstream')],
      [
        'a form that draws itself',
        pdf(PAGES, content, stream('/Subtype /Form /Resources << /XObject << /X 4 0 R >> >>', '/X Do')),
      ],
      ['64 MB, packed twice', () => pdf(PAGES, content, stream('/Filter [/FlateDecode /FlateDecode]', bomb()))],
      ['300 filters', pdf(PAGES, content, stream(`/Filter [${'/FlateDecode '.repeat(300)}]`, 'x'))],
      ['an unknown filter', pdf(PAGES, content, stream('/Filter /Crypt9', 'x'))],
      [
        'a picture of 100,000 × 100,000',
        pdf(
          PAGES,
          content,
          stream('/Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB', 'x'),
        ),
      ],
      ['a paper of 10⁹ points', pdf(PAGES, page.replace('612 792', '1e9 1e9'))],
      ['numbers beyond numbers', pdf(PAGES, page.replace('612 792', `${'9'.repeat(400)} -${'9'.repeat(400)}`))],
      [
        'an object stream that follows itself',
        pdf(PAGES, page, stream('/Type /ObjStm /N 1 /First 4 /Extends 4 0 R', '4 0 << >>')),
      ],
      ['an object stream of 2³¹', pdf(PAGES, page, stream('/Type /ObjStm /N 2147483647 /First 2147483647', '4 0'))],
      ['a script', pdf(PAGES, page, '<< /S /JavaScript /JS (app.alert(1)) >>')],
      ['a program to start', pdf(PAGES, page, '<< /S /Launch /F (cmd.exe) >>')],
      [
        'a table that follows itself',
        fileOf(good.replace('trailer\n<<', `trailer\n<< /Prev ${good.lastIndexOf('xref\n0')}`)),
      ],
      ['a table far out', fileOf(good.replace(/startxref\n\d+/, 'startxref\n99999999999'))],
      ['a table of 2³¹ objects', fileOf(good.replace(/\/Size \d+/, '/Size 2147483647'))],
      ['no table', fileOf(good.replaceAll('xref', 'xxxx'))],
      ['no root', fileOf(good.replace('/Root', '/Rooo'))],
      [
        'a key of nonsense',
        fileOf(good.replace('/Root', '/Encrypt << /Filter /Standard /V 5 /R 6 /O () /U () /P -1 >> /Root')),
      ],
      [
        'two hundred updates',
        fileOf(`${good}${'1 0 obj\n<<>>\nendobj\nxref\n0 0\ntrailer <<>>\nstartxref\n0\n%%EOF\n'.repeat(200)}`),
      ],
      ['only a name', fileOf('%PDF-1.7')],
      ['a page of the web', fileOf('%PDF-1.7\n<html><script>window.hacked=1</script>')],
      ['5 MB of comments', () => fileOf(`%PDF-1.7\n${'%'.repeat(5 * MB)}`)],
    ] as [string, Bytes][]
  ).map(([what, bytes]) => aHostileFile(`a PDF with ${what}`, 'a.pdf', bytes));
}
