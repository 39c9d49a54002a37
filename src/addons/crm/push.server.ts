// Pushes a quote: finds its records in the CRM and makes them match the quote. Repeating a push is safe (docs/decisions/0038).
import type { Crm, CrmRecord } from '#platform/outside/crm.server.ts';
import { soqlText, fieldText } from '#platform/outside/crm.server.ts';
import { CrmError } from '#platform/outside/crm-error.server.ts';
import { type PushContent, type PushLine, recordOf } from './build-push.server.ts';
import { keyFieldOf, type Mapping } from './mapping.ts';

export type PushSettings = Mapping & {
  /** '' means the standard price book. */
  priceBook: string;
  /** '' means that custom items have no product. */
  customItem: string;
};
/** The records that users chose, by object, and those known from an earlier push. */
export type PushKnown = {
  picked: Readonly<Record<string, string>>;
  crmId: string;
  stageSent: string;
  /** True if the push follows a change of status without a user's request. */
  automatic: boolean;
};
export type Pushed = { crmId: string; stageSent: string; stageSeen: string };

const pushRefused = (message: string) => new CrmError('refused', message);
const idOf = (record: CrmRecord) => fieldText(record, 'Id');

/** Creates or updates the opportunity with its lines, and links `contactId` to it. */
export async function pushOpportunity(
  crm: Crm,
  content: PushContent,
  settings: PushSettings,
  known: PushKnown,
  contactId: string,
): Promise<Pushed> {
  const { rows } = settings;
  const keyField = keyFieldOf(rows, 'Opportunity');
  if (content.currency !== 'USD' && !rows.some((row) => row.object === 'Opportunity' && row.source === 'currency'))
    throw pushRefused(
      `The quote is in ${content.currency}, but no opportunity field is mapped to the currency, so Salesforce would record the amounts in US dollars. Map a field such as CurrencyIsoCode to the currency in Settings → Salesforce.`,
    );
  const number = String(content.num);
  const before = await findOpportunity(crm, keyField, number, known);
  const accountId = await findAccount(crm, content.acctNo, settings, known);
  const lines = withFreightAndTax(content, settings);
  const hasLines = lines.length > 0;
  const prices = hasLines ? await findPrices(crm, { ...content, lines }, settings) : null;

  const stage = String(content.opportunity.stage);
  // If a user changed the stage in the CRM, it stays until our own stage changes.
  const keepsStage = before !== null && known.stageSent === stage;
  const record = {
    ...recordOf(rows, 'Opportunity', content.opportunity, (row) => {
      // Salesforce computes the amount from the lines.
      if (row.field === keyField || (hasLines && row.field === 'Amount')) return true;
      return keepsStage && row.source === 'stage';
    }),
    AccountId: accountId,
    ...(prices ? { Pricebook2Id: prices.priceBookId } : {}),
  };
  const id = await writeOpportunity(crm, keyField, number, record, known, before);
  await pushLines(crm, id, lines, settings, prices);
  if (contactId) await joinContact(crm, id, contactId);
  const [after] = await crm.query(`select Id, StageName from Opportunity where Id = ${soqlText(id)}`);
  return { crmId: id, stageSent: stage, stageSeen: fieldText(after, 'StageName') };
}

/**
 * The lines that add up to the mapped Amount. Salesforce computes Amount from the lines. If Amount is the total of the quote, freight and tax
 * therefore become lines, with the product for custom items. Without such a product they cannot be added.
 */
function withFreightAndTax(
  { lines, opportunity }: PushContent,
  { rows, customItem }: PushSettings,
): PushContent['lines'] {
  const isTotal = rows.some(
    ({ object, field, source }) => object === 'Opportunity' && field === 'Amount' && source === 'totalAmount',
  );
  const [first] = lines;
  if (!isTotal || customItem === '' || !first) return lines;
  const more = [
    { prefix: 'F', name: 'Freight', amount: Number(opportunity.freightAmount) },
    { prefix: 'T', name: 'Tax', amount: Number(opportunity.taxAmount) },
  ].filter(({ amount }) => amount !== 0);
  return [
    ...lines,
    ...more.map(({ prefix, name, amount }, at) => ({
      id: 0,
      custom: true,
      values: {
        ...first.values,
        // The number of the quote with a letter, which no other line has.
        lineId: `${prefix}${opportunity.quoteNumber}`,
        quantity: 1,
        lineTotal: amount,
        unitPrice: amount,
        netPrice: amount,
        listPrice: null,
        discountPct: 0,
        netDiscountPct: 0,
        lineNo: Number(lines.at(-1)?.values.lineNo ?? 0) + 1 + at,
        itemNumber: name,
        description: name,
        unit: '',
      },
    })),
  ];
}

/** The current opportunity. Null if there is none yet. */
async function findOpportunity(
  crm: Crm,
  keyField: string,
  number: string,
  { crmId, picked, automatic }: PushKnown,
): Promise<CrmRecord | null> {
  const byId = picked['Opportunity'] ?? '';
  const where = byId ? `Id = ${soqlText(byId)}` : `${keyField} = ${soqlText(number)}`;
  const results = await crm.query(`select Id, Name, StageName from Opportunity where ${where} limit 20`);
  if (results.length > 1) throw several('Opportunity', results, `with the number ${number}`);
  // An automatic push does not recreate an opportunity that a user deleted.
  if (results.length === 0 && (byId || (crmId && automatic)))
    throw new CrmError(
      'refused',
      'The opportunity was deleted in Salesforce. Push the quote again to create a new one.',
    );
  return results[0] ?? null;
}

async function writeOpportunity(
  crm: Crm,
  keyField: string,
  number: string,
  record: CrmRecord,
  { picked }: PushKnown,
  before: CrmRecord | null,
): Promise<string> {
  const byId = picked['Opportunity'];
  if (byId) {
    await crm.update('Opportunity', byId, { ...record, [keyField]: number });
    return byId;
  }
  const { id } = await crm.upsert('Opportunity', keyField, number, record);
  const knownId = id ?? (before ? idOf(before) : '');
  if (knownId) return knownId;
  const [created] = await crm.query(`select Id from Opportunity where ${keyField} = ${soqlText(number)} limit 1`);
  if (!created) throw new CrmError('stuck', 'Salesforce created the opportunity but cannot find it.');
  return idOf(created);
}

async function findAccount(crm: Crm, acctNo: string, { rows }: PushSettings, { picked }: PushKnown): Promise<string> {
  if (picked['Account']) return picked['Account'];
  if (!acctNo) throw pushRefused('The quote has no facility. Choose one, then push again.');
  const field = keyFieldOf(rows, 'Account');
  const results = await crm.query(`select Id, Name from Account where ${field} = ${soqlText(acctNo)} limit 20`);
  if (results.length > 1) throw several('Account', results, `with the number ${acctNo}`);
  const [account] = results;
  if (!account)
    throw pushRefused(`Salesforce has no account with the number ${acctNo} (${field}). Add it there, then push again.`);
  return idOf(account);
}

type Prices = { priceBookId: string; entryOf: (line: PushLine) => string };

/** The price book entry for each line. The error lists all item numbers without an entry. */
async function findPrices(crm: Crm, content: PushContent, settings: PushSettings): Promise<Prices> {
  const { rows, priceBook, customItem } = settings;
  const which = priceBook ? `Name = ${soqlText(priceBook)}` : 'IsStandard = true';
  const books = await crm.query(`select Id from Pricebook2 where ${which} limit 2`);
  const [book] = books;
  if (!book || books.length > 1)
    throw pushRefused(
      priceBook
        ? `Salesforce has ${book ? 'several price books' : 'no price book'} named ${priceBook}.`
        : 'The connected user cannot see a standard price book in Salesforce.',
    );
  const priceBookId = idOf(book);
  const keyField = keyFieldOf(rows, 'PricebookEntry');
  const numberOf = ({ custom, values }: PushLine) =>
    custom && customItem ? customItem : String(values.itemNumber ?? '');
  const fixed = Object.entries(
    recordOf(rows, 'PricebookEntry', { currency: content.currency }, (row) => row.field === keyField),
  ).map(([field, value]) => `${field} = ${typeof value === 'string' ? soqlText(value) : String(value === true)}`);
  const where = [`Pricebook2Id = ${soqlText(priceBookId)}`, 'IsActive = true', ...fixed].join(' and ');
  const result = new Map<string, string[]>();
  for (const batch of portions([...new Set(content.lines.map(numberOf))])) {
    const list = batch.map(soqlText).join(', ');
    const entries = await crm.query(
      `select Id, ${keyField} from PricebookEntry where ${where} and ${keyField} in (${list})`,
    );
    for (const entry of entries) {
      // Salesforce ignores case in comparisons.
      const number = fieldText(entry, keyField).toLowerCase();
      result.set(number, [...(result.get(number) ?? []), idOf(entry)]);
    }
  }
  const numbers = [...new Set(content.lines.map((line) => numberOf(line) || `(line ${String(line.values.lineNo)})`))];
  const countOf = (number: string) => result.get(number.toLowerCase())?.length ?? 0;
  const missing = numbers.filter((number) => countOf(number) === 0);
  const twice = numbers.filter((number) => countOf(number) > 1);
  const problems = [
    missing.length > 0 ? `The Salesforce price book has no active entry for: ${missing.join(', ')}.` : '',
    twice.length > 0 ? `It has several entries for: ${twice.join(', ')}.` : '',
  ].filter(Boolean);
  if (problems.length > 0) throw pushRefused(problems.join(' '));
  return { priceBookId, entryOf: (line) => result.get(numberOf(line).toLowerCase())?.[0] ?? '' };
}

/** Splits texts into batches, one per query, because an address has a maximum length. */
function portions(texts: string[]): string[][] {
  const all: string[][] = [];
  let length = Infinity;
  for (const text of texts) {
    length += encodeURIComponent(text).length + 12;
    if (length > 6000) {
      all.push([]);
      length = 0;
    }
    all.at(-1)?.push(text);
  }
  return all;
}

/** Creates or updates the quote's lines, and deletes lines that are no longer on the quote. Lines that other users added in the CRM stay. */
async function pushLines(
  crm: Crm,
  opportunityId: string,
  lines: readonly PushLine[],
  { rows }: PushSettings,
  prices: Prices | null,
): Promise<void> {
  const keyField = keyFieldOf(rows, 'OpportunityLineItem');
  const there = await crm.query(
    `select Id, ${keyField}, PricebookEntryId from OpportunityLineItem where OpportunityId = ${soqlText(opportunityId)}`,
  );
  const ours = there.filter((line) => typeof line[keyField] === 'string' && line[keyField] !== '');
  const before = new Map(ours.map((line) => [String(line[keyField]), line]));
  const wanted = new Map(lines.map((line) => [String(line.values.lineId), line]));
  // The product of a line cannot change, so the line is replaced.
  const stays = (line: CrmRecord) => {
    const own = wanted.get(String(line[keyField]));
    return own !== undefined && prices?.entryOf(own) === line['PricebookEntryId'];
  };
  const gone = ours.filter((line) => !stays(line));
  if (gone.length > 0) await crm.deleteMany(gone.map(idOf));
  const records = lines.map((line) => {
    const key = String(line.values.lineId);
    const old = before.get(key);
    return {
      ...recordOf(rows, 'OpportunityLineItem', line.values),
      [keyField]: key,
      // Salesforce refuses both fields for an existing line.
      ...(old && stays(old) ? {} : { OpportunityId: opportunityId, PricebookEntryId: prices?.entryOf(line) }),
    };
  });
  await crm.upsertMany('OpportunityLineItem', keyField, records);
}

/** Finds the contact by its email within the account, or creates it. */
export async function pushContact(
  crm: Crm,
  content: PushContent,
  settings: PushSettings,
  known: PushKnown,
  opportunityId: string,
): Promise<Pushed> {
  const { rows } = settings;
  const email = String(content.contact.contactEmail);
  if (!email) throw pushRefused('The quote has no contact email. Add one, then push again.');
  if (!content.contact.contactLastName) throw pushRefused('The quote has no contact name. Add one, then push again.');
  const accountId = await findAccount(crm, content.acctNo, settings, known);
  const keyField = keyFieldOf(rows, 'Contact');
  const record = recordOf(rows, 'Contact', content.contact);
  let id = known.picked['Contact'] ?? '';
  if (!id) {
    const results = await crm.query(
      `select Id, Name, Email from Contact where AccountId = ${soqlText(accountId)} and ${keyField} = ${soqlText(email)} limit 20`,
    );
    if (results.length > 1) throw several('Contact', results, `with the email ${email}`);
    id = results[0] ? idOf(results[0]) : '';
  }
  if (id) await crm.update('Contact', id, record);
  else ({ id } = await crm.create('Contact', { ...record, AccountId: accountId }));
  if (opportunityId) await joinContact(crm, opportunityId, id);
  return { crmId: id, stageSent: '', stageSeen: '' };
}

async function joinContact(crm: Crm, opportunityId: string, contactId: string): Promise<void> {
  const both = `OpportunityId = ${soqlText(opportunityId)} and ContactId = ${soqlText(contactId)}`;
  const results = await crm.query(`select Id from OpportunityContactRole where ${both} limit 1`);
  if (results.length === 0)
    await crm.create('OpportunityContactRole', { OpportunityId: opportunityId, ContactId: contactId });
}

function several(object: string, results: CrmRecord[], what: string): CrmError {
  return new CrmError('choose', `Salesforce has ${results.length} ${object} records ${what}.`, {
    choices: results.map((record) => ({
      object,
      id: idOf(record),
      name: fieldText(record, 'Name'),
      hint: fieldText(record, 'Email') || fieldText(record, 'StageName'),
    })),
  });
}
