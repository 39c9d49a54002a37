// Writes an order as an EDI X12 850 interchange (version 004010): one purchase order in one group in one interchange.
import { dayIn, timeIn } from '#platform/shared/dates.ts';
import { extend } from '#platform/shared/money.ts';
import { withoutEnd } from '#platform/shared/without-end.ts';
import type { Order, OrderLine, OrderPlace } from './order.ts';

export type X12Settings = {
  sender: string;
  receiver: string;
  test: boolean;
  /** Unit codes that an administrator entered. They override ours. */
  units: readonly { unit: string; code: string }[];
  /** The company's time zone, which determines the day of the order. */
  timeZone: string;
};

/** The codes of data element 355 for the trade's units that have one. An administrator adds others, because the code never guesses. */
export const UNIT_CODES: Readonly<Record<string, string>> = {
  EA: 'EA',
  CS: 'CA',
  CT: 'CT',
  BX: 'BX',
  PK: 'PK',
  BG: 'BG',
  BT: 'BO',
  TB: 'TB',
  TR: 'TY',
  VL: 'VI',
  KT: 'KT',
  RL: 'RL',
  PR: 'PR',
  DZ: 'DZ',
  PL: 'PL',
};

/** Explains to the user why an order cannot be written in this format. */
export class NotWritable extends Error {}

const SEPARATORS = /[*~>]/;

/** Free text: separators and line ends become spaces, accents are dropped, and other characters outside ASCII become question marks. */
function words(text: string, most: number): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[–—]/g, '-')
    .replaceAll(/[*~>\s]+/g, ' ')
    .replaceAll(/[^\x20-\x7e]/gu, '?')
    .trim()
    .slice(0, most)
    .trimEnd();
}

/** Text that the receiver looks up. A different spelling would mean something else. */
function exact(text: string, most: number, what: string): string {
  if (text.length > most)
    throw new NotWritable(`${what} ${text} is longer than the ${most} characters that X12 allows.`);
  if (SEPARATORS.test(text) || /[^\x20-\x7e]/.test(text))
    throw new NotWritable(`${what} ${text} contains a character that X12 does not allow (*, ~, > or non-ASCII).`);
  return text;
}

/** A number without an exponent and without trailing zeros. */
function figure(value: number): string {
  return value.toFixed(4).replace(/\.?0{1,4}$/, '');
}

/** An amount with two implied decimals: 12.5 is 1250. */
function cents(value: number): string {
  return extend(value, 100).toFixed(0);
}

export function orderAsX12(order: Order, settings: X12Settings, control: number): string {
  const { timeZone } = settings;
  const wonAt = new Date(order.wonAt);
  const day = dayIn(timeZone, wonAt).replaceAll('-', '');
  const time = timeIn(timeZone, wonAt).replace(':', '');
  const own = String(control % 1_000_000_000);
  const number = own.padStart(9, '0');
  const sender = exact(settings.sender, 15, 'The partner ID');
  const receiver = exact(settings.receiver, 15, 'The partner ID');
  if (!sender || !receiver)
    throw new NotWritable('X12 needs a sender ID and a receiver ID. Enter them in Settings → Orders for the ERP.');
  const body = [
    ['ST', '850', '0001'],
    ...heading(order, day),
    ...order.lines.flatMap((line) => lineSegments(line, settings)),
  ];
  body.push(['CTT', String(order.lines.length)], ['AMT', 'TT', figure(order.total)]);
  body.push(['SE', String(body.length + 1), '0001']);
  const segments = [
    isaOf(sender, receiver, day, time, number, settings.test),
    ['GS', 'PO', sender, receiver, day, time, own, 'X', '004010'],
    ...body,
    ['GE', '1', own],
    ['IEA', '1', number],
  ];
  return segments.map((elements) => `${segmentOf(elements)}~\n`).join('');
}

/** Each element of the first segment has its own fixed width. */
function isaOf(sender: string, receiver: string, day: string, time: string, number: string, test: boolean): string[] {
  const none = ['00', ' '.repeat(10)];
  const partners = ['ZZ', sender.padEnd(15), 'ZZ', receiver.padEnd(15)];
  return ['ISA', ...none, ...none, ...partners, day.slice(2), time, 'U', '00401', number, '0', test ? 'T' : 'P', '>'];
}

/** Omits empty elements at the end. */
function segmentOf(elements: readonly string[]): string {
  return withoutEnd(elements.join('*'), '*');
}

function heading(order: Order, day: string): string[][] {
  const { key, poNumber, customerReference, contact, terms, freight, tax, account } = order;
  const segments = [
    ['BEG', '00', 'SA', exact(poNumber || key, 22, 'The PO number'), '', day],
    ['CUR', 'SE', order.currency],
    ['REF', 'Q1', exact(key, 30, 'The order key')],
  ];
  if (customerReference) segments.push(['REF', 'CR', words(customerReference, 30)]);
  if (account.parentAcctNo) segments.push(['REF', '11', exact(account.parentAcctNo, 30, 'The account number')]);
  if (order.replaces) segments.push(['REF', 'ZZ', order.replaces, 'REPLACES']);
  const person = ['PER', 'OC', words(contact.name, 60)];
  if (contact.phone) person.push('TE', words(contact.phone, 80));
  if (contact.email) person.push('EM', words(contact.email, 80));
  if (person.length > 3 || contact.name) segments.push(person);
  if (terms.freight) segments.push(['FOB', 'DE', 'ZZ', words(terms.freight, 80)]);
  if (freight !== 0) segments.push(['SAC', 'C', 'D240', '', '', cents(freight)]);
  if (terms.payment) segments.push(['ITD', 'ZZ', ...Array<string>(10).fill(''), words(terms.payment, 80)]);
  segments.push(['DTM', '004', day]);
  if (tax !== 0) segments.push(['TXI', 'TX', figure(tax)]);
  return [
    ...segments,
    ...partySegments('BT', order.billTo, account.acctNo),
    ...partySegments('ST', order.shipTo, account.acctNo),
  ];
}

function partySegments(role: 'BT' | 'ST', place: OrderPlace, acctNo: string): string[][] {
  const { name, line1, line2, city, state, zip } = place;
  const by = acctNo ? ['91', exact(acctNo, 80, 'The account number')] : [];
  const segments = [['N1', role, words(name, 60), ...by]];
  const [first, second] = [words(line1 || line2, 55), line1 ? words(line2, 55) : ''];
  if (first) segments.push(['N3', first, second]);
  if (city || state || zip) segments.push(['N4', words(city, 30), words(state, 2), words(zip, 15)]);
  return segments;
}

function lineSegments(line: OrderLine, { units }: X12Settings): string[][] {
  const { lineNo, itemNumber, customerItemNumber, unit, unitPrice, qty, quoteDiscount } = line;
  const at = `Line ${lineNo}:`;
  if (unitPrice === null) throw new NotWritable(`${at} the price is missing.`);
  const same = (coded: { unit: string }) => coded.unit.toUpperCase() === unit.toUpperCase();
  const code = units.find(same)?.code ?? UNIT_CODES[unit.toUpperCase()];
  if (!code)
    throw new NotWritable(
      `${at} the unit ${unit || '(none)'} has no X12 code. Add one in Settings → Orders for the ERP.`,
    );
  const theirs = customerItemNumber ? ['IN', exact(customerItemNumber, 48, `${at} the customer's item number`)] : [];
  const ours = itemNumber ? ['VN', exact(itemNumber, 48, `${at} the item number`)] : [];
  const item = ours.length + theirs.length > 0 ? ['', ...ours, ...theirs] : [];
  const segments = [['PO1', String(lineNo), figure(qty), code, figure(unitPrice), ...item]];
  const text = words(line.description, 80);
  if (text) segments.push(['PID', 'F', '', '', '', text]);
  if (quoteDiscount !== 0) segments.push(['SAC', 'A', 'C310', '', '', cents(quoteDiscount)]);
  return segments;
}
