// The words of savings analyses: their states, the confidence of a match, and the user's decisions about a row.

/** 'columns': the user must assign the columns. 'failed': the file could not be read; `problem` explains why. */
export const ANALYSIS_STATES = ['columns', 'reading', 'to-match', 'ready', 'quoted', 'failed'] as const;
export type AnalysisState = (typeof ANALYSIS_STATES)[number];

/** 'certain' requires a number as evidence, and a unit that agrees. */
export const CONFIDENCES = ['certain', 'likely', 'possible', 'none'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** 'open': not decided. An open row that is certain is treated as taken. */
export const DECISIONS = ['open', 'accepted', 'no-bid'] as const;

/** 'to-look-at': proposed or doubted, and not decided. 'no-match': no item is proposed, and not decided. 'taken': certain or accepted. */
export const ROWS_SHOWN = ['all', 'taken', 'to-look-at', 'no-match', 'no-bid', 'dearer', 'left-out'] as const;
export type RowsShown = (typeof ROWS_SHOWN)[number];

/** The possible fields of a column of a usage file. */
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
  qty: 'Quantity for the period',
  qtyPerYear: 'Quantity per year',
  price: 'Price per unit',
  pricePerEach: 'Price per each',
  spend: 'Spend for the period',
  gtin: 'GTIN / UDI-DI',
  ndc: 'NDC',
  hcpcs: 'HCPCS',
  facilityNo: 'Facility account #',
  facility: 'Facility',
};

/** The quantities of a quote: for a year, for a month, or one unit of each item as a first order. */
export const QUOTE_QUANTITIES = ['year', 'month', 'order'] as const;
export type QuoteQuantities = (typeof QUOTE_QUANTITIES)[number];
