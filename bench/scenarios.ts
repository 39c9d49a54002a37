// The measured calls: the main job and the administration lists, each with varying inputs.
import type { Contract } from '#platform/api/endpoint.ts';
import { contract } from '#app/contract.ts';
import { FOLDERS, GPOS, LONG_CONTRACTS, MAX_QUOTED } from './contracts.ts';
import { ADMINISTRATOR, KEYWORDS, NAME_PARTS, PEOPLE, PERSON_PARTS, type Scale } from './volume.ts';

export type Call = { url: string; body: string };
export type Scenario = {
  name: string;
  /** The aim for one call with 16 clients: milliseconds of processor time of the server and PostgreSQL together. Null: no aim. */
  aim: number | null;
  writes: boolean;
  /** Called by the administrator, not by the people who quote. */
  administers?: boolean;
  /** A multiple of the usual duration, for calls that take seconds with 16 clients. */
  patience?: number;
  call: (n: number) => Call;
};

/** The `n`th of the ids 1 to `size`, in an order that jumps. */
export const spread = (n: number, size: number) => ((n * 7919) % size) + 1;

/** `n` counts the calls of a scenario, so that two clients rarely send the same input at once. */
export function scenarios(scale: Scale): Scenario[] {
  const { items, facilities, quotes, long } = scale;
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const itemAt = (n: number) => ({ itemId: spread(n, items), qty: (n % 9) + 1, unit: 'EA' });
  // Quotes of five lines (id % 3 = 2) in the status Editing (id % 16 = 10).
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
    read('item search, 3 letters, page of 20', 1, (n) =>
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
    read('quote list: status, name part, dates; page of 20, count', 1.2, (n) =>
      call(contract.QuoteSearch, 'SearchQuotesForSalesRep', {
        qtStatuses: ['SentToCustomer'],
        facilityName: NAME_PARTS[n % NAME_PARTS.length],
        dateFrom: day(365 + (n % 300)),
        dateTo: day(n % 30),
        page: 1,
        pageSize: 20,
      }),
    ),
    read('open a quote of 5 lines', 0.8, (n) => open(ofFive(n * 7))),
    read('open a quote of 500 lines', null, (n) => open(ofFiveHundred(n))),
    write('new quote with 10 priced lines', 3.5, (n) =>
      call(contract.QuoteEdit, 'SaveSalesRepQuote', {
        quote: { id: 0, facilityId: spread(n, facilities) },
        items: Array.from({ length: 10 }, (_, line) => itemAt(n * 10 + line)),
      }),
    ),
    write('one line added to a quote of 5', 1.7, (n) => add(ofFive(n), n)),
    write('one line added to a quote of 500', null, (n) => add(ofFiveHundred(n), n)),
    write('PDF of 5 lines', null, (n) => pdf(ofFive(n * 3 + 1))),
    { ...write('PDF of 1,000 lines', null, (n) => pdf(ofThousand(n))), patience: 5 },
    read('facility picker, name part, best 20', null, (n) =>
      call(contract.FacilitySearch, 'GetFacilitiesByKeyWord', { keyword: NAME_PARTS[n % NAME_PARTS.length] }),
    ),
    read('palette: quote number', null, (n) =>
      call(contract.Palette, 'FindAnything', { text: `${200_000 + spread(n, quotes)}` }),
    ),
    read('palette: name part', null, (n) =>
      call(contract.Palette, 'FindAnything', { text: NAME_PARTS[n % NAME_PARTS.length] }),
    ),
    read('palette: item word', null, (n) =>
      call(contract.Palette, 'FindAnything', { text: KEYWORDS[n % KEYWORDS.length] }),
    ),
    ...contractCalls(scale),
    ...administrationLists(scale),
  ];
}

/** The calls of the contract department, mostly for the long contracts, whose lists take the longest. */
function contractCalls({ contracts, contractLines, facilities, rosterRows }: Scale): Scenario[] {
  const ofLong = (n: number) => ({ contractId: (n % LONG_CONTRACTS) + 1 });
  const ofAny = (n: number) => ({ contractId: ((n * 7) % contracts) + 1 });
  const ofMostQuoted = () => ({ contractId: MAX_QUOTED });
  const { Contract: calls, GpoApi, Roster, Letters, FolderFileNav } = contract;
  const detail = (n: number) => call(GpoApi, 'getGpoContractDetailDataForApiCall', n);
  return [
    ...list('contracts', calls, 'Search', contracts, (n) => ({
      facilityId: ((n * 7919) % facilities) + 1,
      sort: { field: 'daysLeft', dir: 'asc' },
    })),
    ...list(
      'contract lines',
      calls,
      'GetLines',
      contractLines,
      (n) => ({ ...ofLong(n), keyword: from(KEYWORDS, n), sort: { field: 'sellingRank', dir: 'desc' } }),
      ofLong,
    ),
    ...list(
      'a roster',
      Roster,
      'GetRoster',
      Math.min(rosterRows, facilities) / 2,
      (n) => ({ ...ofMostQuoted(), keyword: from(NAME_PARTS, n), sort: { field: 'tier', dir: 'desc' } }),
      ofMostQuoted,
    ),
    administering('list of a roster: without a letter', () =>
      call(Roster, 'GetRoster', { ...ofMostQuoted(), state: 'LetterMissing', page: 1, pageSize: 50 }),
    ),
    ...list(
      'letters of commitment',
      Letters,
      'GetLocs',
      Math.min(rosterRows, facilities) / 4,
      (n) => ({ ...ofMostQuoted(), keyword: from(NAME_PARTS, n), sort: { field: 'facility', dir: 'asc' } }),
      ofMostQuoted,
    ),
    ...list(
      'quotes of the contract on most quotes',
      calls,
      'GetContractQuotes',
      400,
      () => ({ ...ofMostQuoted(), sort: { field: 'facilityName', dir: 'asc' } }),
      ofMostQuoted,
    ),
    administering('list of quotes of a contract', (n) =>
      call(calls, 'GetContractQuotes', { ...ofAny(n), page: 1, pageSize: 20 }),
    ),
    administering('page of a long contract', (n) => detail(ofLong(n).contractId)),
    administering('page of any contract', (n) => detail(ofAny(n).contractId)),
    administering('hot sheet of a long contract', (n) => call(calls, 'GetHotSheet', ofLong(n))),
    administering('folders of all GPOs', () => call(FolderFileNav, 'navGPOContractFolder', {})),
    administering('folders of a GPO', (n) => call(FolderFileNav, 'navGPOContractFolder', { gpoId: (n % GPOS) + 1 })),
    administering('files of a folder', (n) =>
      call(FolderFileNav, 'navGPOContractFolder', { ...ofAny(n), folderId: (ofAny(n).contractId - 1) * FOLDERS + 1 }),
    ),
    administering('folders and files by name', (n) =>
      call(FolderFileNav, 'navGPOContractFolder', { keyword: `ment ${n % 20}`, pageSize: 20 }),
    ),
  ];
}

function administrationLists({
  items,
  facilities,
  quotes,
  users,
  territories,
  zips,
  promotions,
  templates,
  products,
  documents,
  pictures,
  log,
}: Scale): Scenario[] {
  const ofTerritory = (n: number) => ({ territoryId: (n % territories) + 1 });
  const ofFacility = (n: number) => ({ facilityId: ((n * 7919) % facilities) + 1 });
  const ofZips = () => ({ kinds: ['taz'] });
  return [
    ...list('users', contract.User, 'SearchUsers', users, (n) => ({
      keyword: from(PERSON_PARTS, n),
      sort: { field: 'lastUsedAt', dir: 'desc' },
    })),
    ...list('regions', contract.Region, 'GetAllRegions', Math.ceil(territories / 6), (n) => ({
      keyword: `region ${n % 5}`,
      sort: { field: 'activeTerritories', dir: 'desc' },
    })),
    administering('map: who has which ZIP, whole country', () =>
      call(contract.ZipAreas, 'getTerrZipGeoJson', { format: 'refs' }),
    ),
    administering('map: all territories with their figures', () =>
      call(contract.TerritoryMapCalls, 'getAllTerritories', {}),
    ),
    administering('map: facilities, the 5,000 worth most', () =>
      call(contract.TerritoryMapCalls, 'getFacilitiesForMap', {}),
    ),
    administering('map: facilities with open quotes', () =>
      call(contract.TerritoryMapCalls, 'getFacilitiesForMap', { withOpenQuotes: true }),
    ),
    administering('map: areas of a territory as GeoJSON', (n) =>
      call(contract.ZipAreas, 'getTerrZipGeoJson', { territoryIds: [(n % territories) + 1] }),
    ),
    administering('map: areas of a state as GeoJSON', (n) =>
      call(contract.ZipAreas, 'getTerrZipGeoJson', { states: [from(['TX', 'IL', 'CO', 'WA', 'AZ'], n) ?? 'TX'] }),
    ),
    ...list('territories', contract.TerritoryAdmin, 'GetAllTerritories', territories, (n) => ({
      keyword: from(NAME_PARTS, n),
      sort: { field: 'openValue', dir: 'desc' },
    })),
    ...list(
      'ZIPs of a territory',
      contract.TerritoryAdmin,
      'GetTerritoryZips',
      zips / territories,
      (n) => ({ ...ofTerritory(n), keyword: from(NAME_PARTS, n % territories), sort: { field: 'zip', dir: 'desc' } }),
      ofTerritory,
    ),
    ...list('facilities', contract.FacilityList, 'GetAllFacilities', facilities, (n) => ({
      keyword: from(NAME_PARTS, n),
      sort: { field: 'city', dir: 'desc' },
    })),
    ...list(
      'prices of a facility',
      contract.FacilityView,
      'GetFacilityPrices',
      items,
      (n) => ({ ...ofFacility(n), keyword: from(KEYWORDS, n), sort: { field: 'description', dir: 'desc' } }),
      ofFacility,
    ),
    ...list(
      'quotes of a facility',
      contract.QuoteSearch,
      'SearchQuotesForSalesRep',
      quotes / facilities,
      (n) => ({ ...ofFacility(n), remember: 'none', sort: { field: 'totalAmount', dir: 'desc' } }),
      (n) => ({ ...ofFacility(n), remember: 'none' }),
    ),
    ...list('item classes', contract.ItemClass, 'GetItemClasses', 24, (n) => ({
      keyword: `class ${(n % 3) + 1}`,
      sort: { field: 'products', dir: 'desc' },
    })),
    ...(products === 0
      ? []
      : [
          ...list('products', contract.Products, 'searchProdDbItems', products, (n) => ({
            keyword: from(KEYWORDS, n),
            status: 'Active',
            sort: { field: 'brand', dir: 'desc' },
          })),
          administering('list of products: without a document', (n) =>
            call(contract.Products, 'searchProdDbItems', { missing: 'document', page: 1 + (n % 100), pageSize: 20 }),
          ),
          ...list(
            'items to map',
            contract.ItemMapping,
            'getNotMappedGpItems',
            items - products,
            (n) => ({
              keyword: from(KEYWORDS, n),
              suggest: false,
            }),
            () => ({ suggest: false }),
          ),
          ...list('pictures by product', contract.ItemImageGallery, 'SearchItemImageAdvanced', products, (n) => ({
            keyword: from(KEYWORDS, n),
            hasImage: true,
            sort: { field: 'pictures', dir: 'desc' },
          })),
          administering('list of pictures by product: without a picture', (n) =>
            call(contract.ItemImageGallery, 'SearchItemImageAdvanced', {
              hasImage: false,
              page: 1 + (n % 100),
              pageSize: 20,
            }),
          ),
          administering('list of pictures by product: hidden from a role', (n) =>
            call(contract.ItemImageGallery, 'SearchItemImageAdvanced', {
              hiddenFor: 'customer',
              page: 1 + (n % 100),
              pageSize: 20,
            }),
          ),
          ...list(
            'pictures at work',
            contract.ItemImageProcess,
            'GetImagesWaitingForProcess',
            pictures / 300,
            (n) => ({ stage: 'waiting', keyword: `${n % 1000}`, sort: { field: 'name', dir: 'desc' } }),
            () => ({ stage: 'upload' }),
          ),
          {
            ...administering('report of pictures: all', () => call(contract.ItemImageGallery, 'GetTotalImageRpt', {})),
            patience: 3,
          },
          {
            ...administering('report of pictures: of a class', (n) =>
              call(contract.ItemImageGallery, 'GetTotalImageRpt', { classId: (n % 24) + 1 }),
            ),
            patience: 3,
          },
          administering('list of documents: looked for', (n) => ({
            url: `${contract.ItemDocuments.getItmDocs.path}?keyword=${from(KEYWORDS, n)}&sort=validTo.desc`,
            body: '',
          })),
          administering('list of documents: deep page', (n) => ({
            url: `${contract.ItemDocuments.getItmDocs.path}?page=${Math.ceil(documents / 40) + (n % 100)}`,
            body: '',
          })),
        ]),
    ...list('mail', contract.Mailbox, 'SearchMail', log, (n) => ({
      keyword: `buyer${n % 1000}`,
      sort: { field: 'subject', dir: 'asc' },
    })),
    ...list('promotions', contract.ItemPromotion, 'searchItemPromotionAdvanced', promotions, (n) => ({
      keyword: from(KEYWORDS, n),
      sort: { field: 'itemNumber', dir: 'asc' },
    })),
    ...list('quote templates', contract.QuoteTemplates, 'SearchQuoteTemplates', templates, (n) => ({
      keyword: from(KEYWORDS, n),
      sort: { field: 'lines', dir: 'desc' },
    })),
    ...list('imports', contract.DataImport, 'ListImports', log / 50, () => ({ kinds: ['facilities', 'items'] })),
    administering('list of audit: looked for', (n) =>
      call(contract.Audit, 'SearchAudit', { text: from(NAME_PARTS, n), userId: (n % PEOPLE) + 1, pageSize: 20 }),
    ),
    // Pages of the audit continue from an event, here from one on any day of the last three years.
    administering('list of audit: deep page', (n) =>
      call(contract.Audit, 'SearchAudit', {
        older: `${(Date.now() - ((n * 79) % 1095) * 86_400_000) * 1000}.quote.${n}`,
        pageSize: 20,
      }),
    ),
    ...list('ZIP imports', contract.DataImport, 'ListImports', log / 250, ofZips, ofZips),
  ];
}

/** Two calls of an administration list: a sorted search, and a page far down the list. */
function list<C extends Contract>(
  name: string,
  group: C,
  key: keyof C & string,
  total: number,
  look: (n: number) => object,
  all: (n: number) => object = () => ({}),
): Scenario[] {
  const make = (kind: string, input: Scenario['call']) => administering(`list of ${name}: ${kind}`, input);
  const pages = Math.max(1, Math.ceil(total / 20));
  return [
    make('looked for, sorted', (n) => call(group, key, { ...look(n), page: 1, pageSize: 20 })),
    make('deep page', (n) => call(group, key, { ...all(n), page: pages - (n % Math.ceil(pages / 2)), pageSize: 20 })),
  ];
}

function from(words: string[], n: number): string | undefined {
  return words[n % words.length];
}

function administering(name: string, input: Scenario['call']): Scenario {
  return { name, aim: null, writes: false, administers: true, call: input };
}

/** A call of the contract; a number is the id in its address. */
export function call<C extends Contract>(group: C, key: keyof C & string, input: object | number): Call {
  const { path } = group[key] as C[string];
  return typeof input === 'number'
    ? { url: `${path}?id=${input}`, body: '' }
    : { url: path, body: JSON.stringify(input) };
}

/** The person who makes call `n` of a scenario. */
export function personOf({ administers }: Scenario, n: number): number {
  return administers ? ADMINISTRATOR : (n % PEOPLE) + 1;
}
