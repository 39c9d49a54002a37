// What is measured: the calls of the main job, each with ever new inputs.
import type { Contract } from '#api/endpoint.ts';
import { contract } from '#app/contract.ts';
import { KEYWORDS, NAME_PARTS, PEOPLE, type Scale } from './volume.ts';

export type Call = { url: string; body: string };
export type Scenario = {
  name: string;
  /** Requests a second at 16 clients that are aimed at; null: none is named. */
  aim: number | null;
  writes: boolean;
  call: (n: number) => Call;
};

/** `n` counts the calls of a scenario, so that two clients hardly ever ask the same at once. */
export function scenarios({ items, facilities, quotes, long }: Scale): Scenario[] {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const spread = (n: number, size: number) => ((n * 7919) % size) + 1;
  const itemAt = (n: number) => ({ itemId: spread(n, items), qty: (n % 9) + 1, unit: 'EA' });
  // Quotes of five lines that are still being edited: id % 3 = 2, and one of the statuses at 10 and 11 of 16.
  const editable = Array.from({ length: quotes }, (_, index) => index + 1).filter(
    (id) => id % 3 === 2 && id % 16 === 10,
  );
  const ofFive = (n: number) => editable[n % editable.length] ?? 1;
  const ofFiveHundred = (n: number) => quotes + 1 + (n % long);
  const ofThousand = (n: number) => quotes + long + 1 + (n % 4);
  const open = (id: number) => call(contract.QuoteEdit, 'PopulateQuoteEditDataForInternalRep', id);
  const pdf = (id: number) => call(contract.QuoteWorkflow, 'GenerateQuotePdf', id);
  const add = (quoteId: number, n: number) =>
    call(contract.QuoteEdit, 'SaveQuoteItem', { id: 0, quoteId, ...itemAt(n) });
  const read = (name: string, aim: number | null, make: Scenario['call']) => ({ name, aim, writes: false, call: make });
  const write = (name: string, aim: number | null, make: Scenario['call']) => ({ name, aim, writes: true, call: make });
  return [
    read('item search, 3 letters, page of 20', 980, (n) =>
      call(contract.ItemSearch, 'SearchItemAdvanced', {
        keyword: KEYWORDS[n % KEYWORDS.length],
        facilityId: spread(n, facilities),
        hasRecentSaleOnly: false,
        page: 1,
        pageSize: 20,
      }),
    ),
    read('item type-ahead, 3 letters, best 200', null, (n) =>
      call(contract.ItemSearch, 'SearchItemByNumber', {
        number: KEYWORDS[n % KEYWORDS.length],
        hasRecentSaleOnly: false,
      }),
    ),
    read('quote list: status, name part, dates; page of 20, count', 1050, (n) =>
      call(contract.QuoteSearch, 'SearchQuotesForSalesRep', {
        qtStatuses: ['SentToCustomer'],
        facilityName: NAME_PARTS[n % NAME_PARTS.length],
        dateFrom: day(365 + (n % 300)),
        dateTo: day(n % 30),
        page: 1,
        pageSize: 20,
      }),
    ),
    read('open a quote of 5 lines', 1800, (n) => open(ofFive(n * 7))),
    read('open a quote of 500 lines', null, (n) => open(ofFiveHundred(n))),
    write('new quote with 10 priced lines', 520, (n) =>
      call(contract.QuoteEdit, 'SaveSalesRepQuote', {
        quote: { id: 0, facilityId: spread(n, facilities) },
        items: Array.from({ length: 10 }, (_, line) => itemAt(n * 10 + line)),
      }),
    ),
    write('one line added to a quote of 5', 1000, (n) => add(ofFive(n), n)),
    write('one line added to a quote of 500', null, (n) => add(ofFiveHundred(n), n)),
    write('PDF of 5 lines', 80, (n) => pdf(ofFive(n * 3 + 1))),
    write('PDF of 1,000 lines', null, (n) => pdf(ofThousand(n))),
  ];
}

function call<C extends Contract>(group: C, key: keyof C & string, input: object | number): Call {
  const { path } = group[key] as C[string];
  return typeof input === 'number'
    ? { url: `${path}?id=${input}`, body: '' }
    : { url: path, body: JSON.stringify(input) };
}

/** Whose token call `n` carries. */
export function personOf(n: number): number {
  return (n % PEOPLE) + 1;
}
