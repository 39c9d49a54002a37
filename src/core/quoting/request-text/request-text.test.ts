// Tests how the text of mails becomes lines: quantities, units with their contents, item numbers, lists, and what is left for the user to check.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRequest, readRequest } from './request-text.ts';

const read = (text: string) =>
  readRequest(text).lines.map(({ qty, unit, itemNumber, description }) => [qty, unit, itemNumber, description]);

it.each<[text: string, ...lines: string[][]]>([
  ['20 cs nitrile gloves M, 4 bx 18g IV caths', ['20', 'cs', '', 'nitrile gloves M'], ['4', 'bx', '', '18g IV caths']],
  ['2 bx/100 gloves', ['2', 'bx/100', '', 'gloves']],
  ['2 boxes of 100 gloves', ['2', 'boxes of 100', '', 'gloves']],
  ['2 boxes of gloves', ['2', 'boxes', '', 'gloves']],
  ['2 bx (100 ea) gloves', ['2', 'bx (100 ea)', '', 'gloves']],
  ['20 cs/10 bx gauze 4x4', ['20', 'cs/10 bx', '', 'gauze 4x4']],
  ['1 box of 3 ml syringes', ['1', 'box', '', '3 ml syringes']],
  ['4 bx 18 g IV caths', ['4', 'bx', '', '18 g IV caths']],
  ['1,200 ea tongue depressors', ['1,200', 'ea', '', 'tongue depressors']],
  ['1,200 tongue depressors', ['1,200', '', '', 'tongue depressors']],
  ['20cs gloves', ['20', 'cs', '', 'gloves']],
  ['Please quote 20 cs gloves and 4 bx caths', ['20', 'cs', '', 'gloves'], ['4', 'bx', '', 'caths']],
  ['We need two cases of gauze sponges', ['2', 'cases', '', 'gauze sponges']],
  ['5 IV poles, 3 wheelchairs', ['5', '', '', 'IV poles'], ['3', '', '', 'wheelchairs']],
  ['20 cs gauze 4x4, 12 ply, sterile', ['20', 'cs', '', 'gauze 4x4, 12 ply, sterile']],
  ['Gloves, nitrile, M - 20 cs', ['20', 'cs', '', 'Gloves, nitrile, M']],
  ['Gloves M, 20 cs', ['20', 'cs', '', 'Gloves M']],
  ['gauze 4x4 20 cs', ['20', 'cs', '', 'gauze 4x4']],
  ['Gloves M (20 cases)', ['20', 'cases', '', 'Gloves M']],
  ['Foley catheter 16 Fr, qty 20', ['20', '', '', 'Foley catheter 16 Fr']],
  ['4471-B: 20 cs nitrile gloves', ['20', 'cs', '4471-B', 'nitrile gloves']],
  ['MDS1234, 20 cs', ['20', 'cs', 'MDS1234', '']],
  ['GL-2210 x 20', ['20', '', 'GL-2210', '']],
  ['901048 2 cs', ['2', 'cs', '901048', '']],
  ['901048 x 2', ['2', '', '901048', '']],
  ['20000 x 901048', ['20000', '', '901048', '']],
  ['12345 cs 901048', ['12345', 'cs', '901048', '']],
  ['20 cs nitrile gloves (item # 4471-B)', ['20', 'cs', '4471-B', 'nitrile gloves']],
  ['20 cs CUST 4471-B', ['20', 'cs', '4471-B', '']],
  ['20 cs nitrile gloves #2210', ['20', 'cs', '2210', 'nitrile gloves']],
  ['- 20 cs gloves', ['20', 'cs', '', 'gloves']],
  ['3. 20 cs gloves', ['20', 'cs', '', 'gloves']],
  ['10 N95 masks', ['10', '', '', 'N95 masks']],
])('reads %s', (text, ...lines) => {
  expect(read(text)).toEqual(lines);
});

it.each([
  '18g IV caths',
  '10 ml syringes',
  '3/4 in tape',
  'nitrile gloves size M',
  'Foley catheter 16',
  'Gloves M, 20 cs, caths 18g, 4 bx',
])("leaves '%s' to a person", (text) => {
  expect(read(text)).toEqual([['', '', '', text]]);
});

it('reads a list as people type it', () => {
  expect(
    read(`* Medline exam gloves, PF, Medium - 20 cases (item 4471-B)
* BD Insyte 18ga x 1.16" IV catheters 4 bx
* Kerlix rolls 4.5" x 4.1 yd, 3 cs/100
* 12 Foley catheters 16fr 5cc, qty needed 2 bx
* 3-0 vicryl sutures 2 bx
1/2" tape 5 rolls
Also 2 dz. emesis bags
1000 ml NS bags - 10 cs of 12
Alcohol prep pads  200/bx  30 bx`),
  ).toEqual([
    ['20', 'cases', '4471-B', 'Medline exam gloves, PF, Medium'],
    ['4', 'bx', '', 'BD Insyte 18ga x 1.16" IV catheters'],
    ['3', 'cs/100', '', 'Kerlix rolls 4.5" x 4.1 yd'],
    ['', '', '', '12 Foley catheters 16fr 5cc, qty needed 2 bx'],
    ['2', 'bx', '', '3-0 vicryl sutures'],
    ['5', 'rolls', '', '1/2" tape'],
    ['2', 'dz.', '', 'emesis bags'],
    ['10', 'cs of 12', '', '1000 ml NS bags'],
    ['30', 'bx', '', 'Alcohol prep pads 200/bx'],
  ]);
});

const SIGNED = `Thanks,
Anna Smith
Buyer, Saint Mary Hospital
(555) 123-4567
20 Main Street, Springfield, IL 62701`;

it('leaves greetings, signatures and quoted emails aside, with their words', () => {
  const { lines, aside } = readRequest(`Hi Bob,

Can you quote the following?
20 cs nitrile gloves M
4 bx 18g IV caths

${SIGNED}

On Mon, Nov 23, 2026 at 9:00 AM Bob <bob@example.com> wrote:
> 99 cs what was quoted before
> Bob`);
  expect(lines.map(({ qty }) => qty)).toEqual(['20', '4']);
  expect(aside).toEqual([
    'Hi Bob,',
    'Can you quote the following?',
    ...SIGNED.split('\n'),
    'On Mon, Nov 23, 2026 at 9:00 AM Bob <bob@example.com> wrote:',
    '> 99 cs what was quoted before',
    '> Bob',
  ]);
});

it.each([
  '---------- Forwarded message ---------\nFrom: Anna <a@example.com>\nDate: Mon, Nov 23, 2026\nSubject: Order\n\n20 cs gloves',
  'FYI\n\nFrom: Anna\nSent: Monday\nTo: Bob\nSubject: Order\n\n20 cs gloves',
  'Please see below.\n> 20 cs gloves',
])('reads an email that only forwards another', (text) => {
  const { lines, aside } = readRequest(text);
  expect(lines).toEqual([{ qty: '20', unit: 'cs', itemNumber: '', description: 'gloves' }]);
  expect(aside.length).toBeGreaterThan(0);
});

it('knows a request from other text', () => {
  expect(isRequest(readRequest('20 cs nitrile gloves\n4 bx caths'))).toBe(true);
  expect(isRequest(readRequest('551000\n881003'))).toBe(false);
  expect(isRequest(readRequest('Alpha,Beta\nMDX,GL-2210'))).toBe(false);
  expect(isRequest(readRequest('Hello Bob'))).toBe(false);
});

it('drops no word and ends, whatever the text', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('20 cs ', 'gloves', ', ', ' and ', '\n', '4471-B', '> ', 'x', '1,200', '(', ' - '),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const { lines, aside } = readRequest(text);
      const output = [...lines.flatMap((line) => Object.values(line)), ...aside].join(' ');
      for (const word of text.match(/[a-z]{4,}/g) ?? []) expect(output).toContain(word);
    }),
  );
  const began = performance.now();
  readRequest(`${'1 cs a, '.repeat(240)}\n`.repeat(50));
  readRequest('1 cs a, '.repeat(20_000));
  readRequest(`${'- '.repeat(990)}20`);
  readRequest(`${'- '.repeat(50_000)}20`);
  expect(performance.now() - began).toBeLessThan(5000);
});
