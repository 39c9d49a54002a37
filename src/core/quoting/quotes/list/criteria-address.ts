// Keeps the criteria of a quote list in the address, under their API names, so that a reload or a shared link shows the same list.
import { parseDate } from '#platform/shared/dates.ts';
import { pageNumber } from '#platform/shared/page-number.ts';
import { isId } from '#platform/shared/paths.ts';
import {
  QUOTE_SORT_FIELDS,
  type QuoteCriteria,
  type QuoteSortField,
  WAITS_FOR,
  type WaitsFor,
} from '../quotes.contract.ts';
import { STATUSES, type StatusId } from '../status.ts';

/** The criteria with every field present, so that screens need no checks. */
export type Criteria = {
  page: number;
  sort: { field: QuoteSortField; dir: 'asc' | 'desc' };
  num: string;
  /** Matches exactly this facility. The next two fields match parts. */
  facilityId: number | null;
  facilityAccountNo: string;
  facilityName: string;
  itemNum: string;
  comment: string;
  dateFrom: string;
  dateTo: string;
  regionId: number | null;
  territoryId: number | null;
  qtStatuses: StatusId[];
  salesRepId: number | null;
  csRepId: number | null;
  needsFollowUp: boolean;
  waitsFor: WaitsFor | null;
};

export const NO_CRITERIA: Criteria = {
  page: 1,
  sort: { field: 'quoteDate', dir: 'desc' },
  num: '',
  facilityId: null,
  facilityAccountNo: '',
  facilityName: '',
  itemNum: '',
  comment: '',
  dateFrom: '',
  dateTo: '',
  regionId: null,
  territoryId: null,
  qtStatuses: [],
  salesRepId: null,
  csRepId: null,
  needsFollowUp: false,
  waitsFor: null,
};

export type Address = Record<string, string | undefined>;

const TEXTS = ['num', 'facilityAccountNo', 'facilityName', 'itemNum', 'comment'] as const;
const DATES = ['dateFrom', 'dateTo'] as const;
const IDS = ['facilityId', 'regionId', 'territoryId', 'salesRepId', 'csRepId'] as const;

/** Reads an address and ignores invalid parts of it. */
export function criteriaOf(address: Address): Criteria {
  const criteria = { ...NO_CRITERIA, page: pageNumber(address['page']), sort: sortOf(address['sort']) };
  for (const name of TEXTS) criteria[name] = (address[name] ?? '').slice(0, name === 'num' ? 40 : 200);
  for (const name of DATES) criteria[name] = parseDate(address[name] ?? '') ?? '';
  for (const name of IDS) criteria[name] = numberOf(address[name]);
  criteria.needsFollowUp = address['needsFollowUp'] === 'yes';
  criteria.waitsFor = WAITS_FOR.find((candidate) => candidate === address['waitsFor']) ?? null;
  criteria.qtStatuses = [...new Set((address['qtStatuses'] ?? '').split(','))].flatMap(
    (id) => STATUSES.find((status) => status === id) ?? [],
  );
  return criteria;
}

/** Writes an address. It always contains the page, because an empty address means that the last criteria are restored. */
export function addressOf(criteria: Criteria): Address {
  const address: Address = { page: String(criteria.page) };
  for (const name of [...TEXTS, ...DATES]) if (criteria[name]) address[name] = criteria[name];
  for (const name of IDS) if (criteria[name] !== null) address[name] = String(criteria[name]);
  if (criteria.qtStatuses.length > 0) address['qtStatuses'] = criteria.qtStatuses.join(',');
  if (criteria.needsFollowUp) address['needsFollowUp'] = 'yes';
  if (criteria.waitsFor) address['waitsFor'] = criteria.waitsFor;
  const { field, dir } = criteria.sort;
  if (field !== NO_CRITERIA.sort.field || dir !== NO_CRITERIA.sort.dir) address['sort'] = `${field}.${dir}`;
  return address;
}

/** Converts the server's remembered criteria for the screens. */
export function restored(criteria: QuoteCriteria): Criteria {
  const text = (value: string | number | null | undefined) => String(value ?? '');
  return {
    page: criteria.page,
    sort: criteria.sort ?? NO_CRITERIA.sort,
    num: text(criteria.num),
    facilityId: criteria.facilityId ?? null,
    facilityAccountNo: text(criteria.facilityAccountNo),
    facilityName: text(criteria.facilityName),
    itemNum: text(criteria.itemNum),
    comment: text(criteria.comment),
    dateFrom: text(criteria.dateFrom),
    dateTo: text(criteria.dateTo),
    regionId: criteria.regionId ?? null,
    territoryId: criteria.territoryId ?? null,
    qtStatuses: criteria.qtStatuses ?? [],
    salesRepId: criteria.salesRepId ?? null,
    csRepId: criteria.csRepId ?? null,
    needsFollowUp: criteria.needsFollowUp ?? false,
    waitsFor: criteria.waitsFor ?? null,
  };
}

/** Returns to page 1 when a filter changes. Otherwise the page stays (specification section 4). */
export function refiltered(before: Criteria, after: Criteria): Criteria {
  const bare = (criteria: Criteria) =>
    JSON.stringify(addressOf({ ...criteria, page: 1, qtStatuses: criteria.qtStatuses.toSorted() }));
  return bare(before) === bare(after) ? after : { ...after, page: 1 };
}

function numberOf(text: string | undefined): number | null {
  return text && isId(text) ? Number(text) : null;
}

function sortOf(text = ''): Criteria['sort'] {
  const [field = '', dir] = text.split('.');
  const known = QUOTE_SORT_FIELDS.find((name) => name === field);
  return known ? { field: known, dir: dir === 'asc' ? 'asc' : 'desc' } : NO_CRITERIA.sort;
}
