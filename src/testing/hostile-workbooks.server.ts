// Workbooks with entities, bombs, paths to elsewhere, and numbers beyond all limits.
import { aZip } from './a-zip.server.ts';
import { aHostileFile, type Bytes, type HostileFile } from './hostile-file.server.ts';

const MB = 1024 * 1024;
const fileOf = (text: string) => Buffer.from(text);

/** The start of an XML document whose entity `e9` unfolds to a billion words. */
export function entities(root = 'svg'): string {
  const steps = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY e0 "laugh">${steps.join('')}]>`;
}

export function hostileWorkbooks(): HostileFile[] {
  const RELS = '<R><Relationship Id="1" Type="x/officeDocument" Target="w.xml"/></R>';
  const BOOK = '<workbook><sheets><sheet name="A" r:id="s"/></sheets></workbook>';
  const BOOK_RELS =
    '<R><Relationship Id="s" Type="x/worksheet" Target="s.xml"/><Relationship Id="t" Type="x/sharedStrings" Target="t.xml"/><Relationship Id="y" Type="x/styles" Target="y.xml"/></R>';
  const sheet = (inner: string) => `<worksheet>${inner}</worksheet>`;
  const rows = (inner: string) => sheet(`<sheetData>${inner}</sheetData>`);
  const inline = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  type Parts = Record<string, string | Buffer>;
  const parts = (changes: Parts): Parts => ({
    '_rels/.rels': RELS,
    'w.xml': BOOK,
    '_rels/w.xml.rels': BOOK_RELS,
    's.xml': rows(inline('Item')),
    't.xml': '<sst/>',
    'y.xml': '<styleSheet/>',
    ...changes,
  });
  const zip = (input: Parts, says?: number) =>
    aZip(
      Object.entries(input).map(([name, content]) => ({
        name,
        bytes: Buffer.from(content as string),
        ...(says === undefined ? {} : { says }),
      })),
    );
  const book = (changes: Parts) => zip(parts(changes));
  const whole = book({});
  const outside = '<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
  return (
    [
      ['entities in a sheet', book({ 's.xml': `${entities('worksheet')}${rows(inline('&e9;'))}` })],
      ['entities in its texts', book({ 't.xml': `${entities('sst')}<sst><si><t>&e9;</t></si></sst>` })],
      ['entities in its styles', book({ 'y.xml': `${entities('styleSheet')}<styleSheet>&e9;</styleSheet>` })],
      ['entities in its list of sheets', book({ 'w.xml': `${entities('workbook')}${BOOK}` })],
      ['entities in its relations', book({ '_rels/.rels': `${entities('R')}${RELS}` })],
      ['a text from a file', book({ 's.xml': `${outside}${rows(inline('&a;'))}` })],
      [
        'a text from an address',
        book({ 's.xml': `<!DOCTYPE z SYSTEM "http://127.0.0.1:1/a.dtd">${rows(inline('a'))}` }),
      ],
      ['a sheet of 64 MB', () => book({ 's.xml': rows(`<row>${' '.repeat(64 * MB)}</row>`) })],
      ['a text of 64 MB', () => book({ 't.xml': `<sst><si><t>${'a'.repeat(64 * MB)}</t></si></sst>` })],
      ['a tag of 20 MB', () => book({ 's.xml': rows(`<row a="${'a'.repeat(20 * MB)}"/>`) })],
      [
        'a million attributes',
        () => book({ 's.xml': rows(`<row ${Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(' ')}/>`) }),
      ],
      ['elements nested without end', () => book({ 's.xml': '<a>'.repeat(500_000) })],
      ['three million rows', () => book({ 's.xml': rows('<row/>'.repeat(3_000_000)) })],
      ['a row far out', book({ 's.xml': rows('<row r="2147483647"><c r="A1"><v>1</v></c></row>') })],
      ['a row before the first', book({ 's.xml': rows('<row r="-5"><c r="A1"><v>1</v></c></row>') })],
      ['a cell far out', book({ 's.xml': rows('<row r="1"><c r="ZZZZZZZ1"><v>1</v></c></row>') })],
      ['16,384 columns', () => book({ 's.xml': rows(`<row r="1">${'<c><v>1</v></c>'.repeat(16_384)}</row>`) })],
      [
        'cells merged a thousand times',
        () =>
          book({
            's.xml': sheet(
              `<sheetData>${inline('a')}</sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(1000)}</mergeCells>`,
            ),
          }),
      ],
      ['a text that it has not', book({ 's.xml': rows('<row r="1"><c r="A1" t="s"><v>-1</v></c></row>') })],
      ['a style that it has not', book({ 's.xml': rows('<row r="1"><c r="A1" s="999999"><v>1e308</v></c></row>') })],
      [
        'numbers beyond numbers',
        book({ 's.xml': rows('<row r="1"><c r="A1"><v>1e99999</v></c><c r="B1"><v>NaN</v></c></row>') }),
      ],
      [
        'a day beyond all days',
        book({
          'y.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
          's.xml': rows('<row r="1"><c r="A1" s="0"><v>1e300</v></c></row>'),
        }),
      ],
      [
        'a format of 200,000 brackets',
        () =>
          book({
            'y.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${'[$'.repeat(200_000)}"/></numFmts></styleSheet>`,
          }),
      ],
      ['characters that XML has not', book({ 's.xml': rows(inline('&#0;&#xD800;&#x110000;')) })],
      ['bytes that are no text', book({ 's.xml': Buffer.concat([fileOf('<worksheet>'), Buffer.alloc(1000, 0xff)]) })],
      ['no sheets', book({ 'w.xml': '<workbook><sheets/></workbook>' })],
      [
        '50,000 sheets',
        () => book({ 'w.xml': `<workbook><sheets>${'<sheet name="A" r:id="s"/>'.repeat(50_000)}</sheets></workbook>` }),
      ],
      ['a sheet that is its list of sheets', book({ '_rels/w.xml.rels': BOOK_RELS.replace('s.xml', 'w.xml') })],
      ['relations to outside', book({ '_rels/w.xml.rels': BOOK_RELS.replace('s.xml', '../../../../etc/passwd') })],
      ['relations to an address', book({ '_rels/w.xml.rels': BOOK_RELS.replace('s.xml', 'http://127.0.0.1:1/') })],
      ['no relations', zip({ 's.xml': rows('') })],
      ['30,000 parts', () => book(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, ''])))],
      ['names that lead outside', book({ '../../../../tmp/evil.xml': 'a', '/etc/evil': 'a', 'C:\\evil': 'a' })],
      ['a name of 60,000 letters', book({ ['a'.repeat(60_000)]: 'a' })],
      ['an archive in an archive', book({ 'a.xlsx': whole })],
      ['sizes of 4 GB', zip(parts({}), 0xffff_ffff)],
      ['sizes of nothing', zip(parts({}), 0)],
      ['a password', aZip([{ name: '_rels/.rels', bytes: fileOf(RELS), encrypted: true }])],
      ['nothing in it', zip({})],
      [
        'a directory that it says is elsewhere',
        Buffer.concat([whole.subarray(0, whole.length - 6), Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0])]),
      ],
      [
        'more parts than it has',
        Buffer.concat([
          whole.subarray(0, whole.length - 14),
          Buffer.from([0xff, 0xff, 0xff, 0xff]),
          whole.subarray(-10),
        ]),
      ],
      [
        'an end inside its own remark',
        Buffer.concat([whole.subarray(0, -2), Buffer.from([22, 0]), whole.subarray(-22)]),
      ],
      [
        'the format of before 2007',
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array<number>(2000).fill(0xff)]),
      ],
    ] as [string, Bytes][]
  ).map(([what, bytes]) => aHostileFile(`a workbook with ${what}`, 'a.xlsx', bytes));
}
