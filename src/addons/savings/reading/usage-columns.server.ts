// The columns of usage files, with the headings that hospitals, distributors and buying groups use.
import { headings, normalHeading, suffices, type Wanted } from '#platform/data-import/reading/header-match.server.ts';
import { USAGE_FIELDS, USAGE_LABELS, type UsageField } from '../savings-words.ts';

/** In the spelling of `normalHeading`. Fields are matched in the order of USAGE_FIELDS, so specific ones come before general ones. */
const NAMES: Record<UsageField, string> = {
  itemNo:
    'charge code, chargecode, supply number, supply item number, hospital item number, hospital item, facility item number, customer item number, customer item, your item number, our item number, internal item number, mmis number, mmis, mmis item number, lawson number, lawson item number, peoplesoft number, infor number, workday item, material number, material, pmm number, item master number, item id, item number, item code, item, sku, product id, product number, product code, number, stock number, stock',
  distributor: 'distributor, distributor name, vendor, vendor name, supplier, supplier name',
  catalogNo:
    'distributor catalog number, distributor item number, distributor number, distributor item, distributor sku, dist item number, dist number, vendor catalog number, vendor item number, vendor item, vendor number, vendor part number, vendor sku, supplier item number, supplier part number, supplier catalog number, catalog number, catalog, catalog number, cat number, order number, reorder number, vendor catalog, vendor cat number, vendor catalog number, vendor item id, vendor reorder number, distributor catalog',
  maker: 'manufacturer, manufacturer name, maker, make, brand, labeler',
  makerNo:
    'manufacturer number, manufacturer item number, manufacturer item, manufacturer item id, manufacturer catalog number, manufacturer catalog number, manufacturer cat number, manufacturer part number, manufacturer part, manufacturer sku, manufacturer reference, mpn, part number, part, model number, reference number, ref number, ref, manufacturer catalog, manufacturer reorder number',
  description:
    'description, charge code description, chargecode description, charge description, procedure description, supply description, item description, product description, item name, product name, long description, full description, material description, product, name, short description',
  unit: 'unit, unit of measure, purchase unit, purchase unit of measure, order unit, order unit of measure, buy unit, purchasing unit, issue unit, uom description, ordering unit, pkg, packaging unit, issue unit of measure, issuing unit, receiving unit',
  eachesPerUnit:
    'eaches per unit, each per unit, units per package, unit conversion, conversion factor, conversion, conv factor, quantity of each, qoe, eaches, quantity per unit, quantity per package, pack quantity, package quantity, units per case, each quantity, eaches per purchase unit, conv, multiplier, buy multiplier, buy mult, purchase multiplier, unit multiplier, unit factor, quantity per unit of measure, factor, unit conv, unit conv factor, unit of measure conversion',
  pack: 'pack, pack size, package size, packaging, packaging string, package, pack text, pack description, packaging description, unit string, size',
  qtyPerYear:
    'annual quantity, annual usage, annual volume, annual units, yearly quantity, yearly usage, quantity per year, annualized quantity, annualized usage, 12 month quantity, 12 month usage, 12 months quantity, 12 months usage, est annual quantity, estimated annual usage, estimated annual quantity, 12 mo usage, 12 mo quantity, 12 mos usage, rolling 12 month usage, rolling 12 mo usage, yearly volume, annual vol, 12 m usage, 12 m quantity',
  qty: 'quantity, usage, usage quantity, quantity used, quantity purchased, purchased quantity, quantity ordered, quantity shipped, quantity invoiced, quantity issued, quantity received, quantity po, po quantity, quantity sold, total quantity, units purchased, units sold, units, volume, order quantity, total usage, sum of quantity, period quantity, monthly usage, average monthly usage, avg monthly usage, monthly quantity, quantity ea, quantity eaches, quantity in eaches, usage in eaches, usage ea, eaches used, eaches purchased, cases, issue quantity, issued quantity, issued, issues, received quantity, receipt quantity, received, ordered quantity, shipped quantity, invoiced quantity, used quantity, ytd quantity, quantity ytd, ytd usage, usage ytd, ea quantity',
  pricePerEach:
    'price per each, price each, each price, unit price each, cost per each, each cost, price per ea, cost each, ea price, price ea, current price per each',
  price:
    'price per unit, price, unit price, purchase price, current price, price paid, paid price, current cost, unit cost, cost, cost per unit, contract price, invoice price, last price, last cost, last po price, po price, average price, avg price, purchase cost, price per unit of measure, your price, current unit price, net price, net unit price, unit net price, last price paid',
  spend:
    'spend, total spend, annual spend, extended price, extended cost, ext price, ext cost, extended, total, total cost, total price, total amount, amount, sales, sum of spend, total dollars, dollars, extended amount, annual cost, current spend, net sales, line total, ext amount, line amount, line spend, line cost, extended spend, issue amount, issued amount',
  gtin: 'gtin, udi, udi di, di, udi number, upc, ean, barcode, gtin number, primary di, device identifier',
  ndc: 'ndc, ndc number, national drug code',
  facilityNo:
    'facility account number, facility account, facility number, facility id, facility code, account number, account, account id, account code, ship to number, ship to account number, ship to account, ship to id, ship to code, site number, site id, site code, customer number, customer account number, customer account, customer id, location number, location code, entity number, entity code',
  facility:
    'facility, facility name, ship to, ship to name, ship to facility, ship to location, site, site name, hospital, hospital name, customer name, account name, location name, entity, entity name, member name',
  hcpcs: 'hcpcs, hcpcs code, cpt, cpt hcpcs, hcpcs cpt, hcpc',
};

const MATCHED_IN: readonly UsageField[] = [
  ...USAGE_FIELDS.filter((field) => field !== 'itemNo' && field !== 'qty'),
  'qty',
  'itemNo',
];

/** What a usage file needs: a column that identifies items. With fewer than two columns, it is not a table. */
export const USAGE: Wanted = {
  kind: 'usage files',
  fields: Object.fromEntries(
    MATCHED_IN.map((field) => [field, { label: USAGE_LABELS[field], names: headings(NAMES[field]) }]),
  ),
  needs: [['description'], ['itemNo'], ['catalogNo'], ['makerNo'], ['gtin']],
};

export const NEEDS_NUMBER = 'Choose the column with the item numbers or descriptions.';

const NO_QUANTITY =
  'No quantity column was recognized. Choose it, or match the rows without quantities to compare prices but not total savings.';

/**
 * The missing column that prevents reading a file without the user: one that identifies items, or the quantity, which can also come from spend and
 * price.
 */
export function missingColumn(columns: Readonly<Record<string, number>>): string {
  const has = (field: UsageField): boolean => Object.hasOwn(columns, field);
  if (!suffices(new Map(Object.entries(columns)), USAGE)) return NEEDS_NUMBER;
  const isCounted = has('qty') || has('qtyPerYear') || (has('spend') && (has('price') || has('pricePerEach')));
  return isCounted ? '' : NO_QUANTITY;
}

/** Whether a heading means a quantity per month: 'Monthly usage'. */
export const isMonthly = (heading: string): boolean => /\b(?:monthly|per month|a month)\b/i.test(heading);
/** Whether a heading means a quantity of single pieces, whatever the unit of the row: 'Qty (EA)', 'Usage in eaches'. */
export const isInEaches = (heading: string): boolean => /\b(?:ea|each|eaches)\b/.test(normalHeading(heading));
/** Whether a heading contains the unit or the number of units of a price: 'Price UOM', SAP's 'Price unit'. */
export const isPriceUnit = (heading: string): boolean =>
  /^(?:unit )?(?:price|pricing|cost|purchase price|contract price|invoice) (?:per )?unit(?: of measure)?$/.test(
    normalHeading(heading),
  );
/** Whether a heading means an amount per year, whatever the months of the file: 'Annual spend'. */
export const isAnnual = (heading: string): boolean => /\b(?:annual|annualized|yearly|per year|12 ?mo)/i.test(heading);
