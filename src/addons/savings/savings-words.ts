// The words of savings analyses: their states, how sure a match is, and what a person decides about a row.

/** 'columns': a person has to say which column is which. 'failed': the file could not be read; `problem` says why. */
export const ANALYSIS_STATES = ['columns', 'reading', 'to-match', 'ready', 'quoted', 'failed'] as const;
export type AnalysisState = (typeof ANALYSIS_STATES)[number];

/** 'certain' is only ever evidence by a number, with a unit that agrees. */
export const CONFIDENCES = ['certain', 'likely', 'possible', 'none'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** 'open': nobody has decided. An open row that is certain counts as taken. */
export const DECISIONS = ['open', 'accepted', 'no-bid'] as const;

/** 'to-look-at': proposed, or doubted, and not decided. 'no-match': no item is proposed, and not decided. 'taken': certain or accepted. */
export const ROWS_SHOWN = ['all', 'taken', 'to-look-at', 'no-match', 'no-bid', 'dearer', 'left-out'] as const;
export type RowsShown = (typeof ROWS_SHOWN)[number];

/** What a column of a usage file may be. */
export const USAGE_FIELDS = [
  'itemNo',
  'distributor',
  'catalogNo',
  'maker',
  'makerNo',
  'description',
  'unit',
  'eachesPerUnit',
  'pack',
  'qty',
  'qtyPerYear',
  'price',
  'pricePerEach',
  'spend',
  'gtin',
  'ndc',
  'hcpcs',
  'facilityNo',
  'facility',
] as const;
export type UsageField = (typeof USAGE_FIELDS)[number];

export const USAGE_LABELS: Record<UsageField, string> = {
  itemNo: 'Their item #',
  distributor: 'Distributor',
  catalogNo: 'Distributor catalog #',
  maker: 'Manufacturer',
  makerNo: 'Manufacturer #',
  description: 'Description',
  unit: 'Unit',
  eachesPerUnit: 'Eaches per unit',
  pack: 'Pack',
  qty: 'Quantity of the period',
  qtyPerYear: 'Quantity per year',
  price: 'Price per unit',
  pricePerEach: 'Price per each',
  spend: 'Spend of the period',
  gtin: 'GTIN / UDI-DI',
  ndc: 'NDC',
  hcpcs: 'HCPCS',
  facilityNo: 'Facility account #',
  facility: 'Facility',
};

/** The quantities of a quote: of a year, of a month, or one unit of each as a first order. */
export const QUOTE_QUANTITIES = ['year', 'month', 'order'] as const;
export type QuoteQuantities = (typeof QUOTE_QUANTITIES)[number];
