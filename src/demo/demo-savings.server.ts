// Uploads a typical usage file of one of the demo's hospitals: known numbers, descriptions only, a contradictory pack, unknown items.
import { sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { uploadUsageFile } from '#addons/savings/reading/take-usage.server.ts';
import type { Role } from '#platform/shared/roles.ts';

const ROWS = 48;
/** What the customer pays for a list price of 1. In some rows this is less than our price. */
const PAID = [1.18, 0.97, 1.09, 0.6, 1.04, 0.88, 1.22];
/** Items that we do not sell. */
const STRANGE = [
  'Toner cartridge black, high yield',
  'Coffee, ground, 12 oz',
  'Batteries AA alkaline 24 pack',
  'Copy paper letter 20 lb',
  'Floor finish 5 gal',
  'Parking permits, visitor',
];

type Known = {
  number: string;
  description: string;
  maker: string;
  makerNo: string;
  unit: string;
  eaches: number;
  price: number;
};

/** Call this after storing everything else. A job reads and matches the file like any other. */
export async function fillSavings(services: Services): Promise<void> {
  const { db } = services.database;
  const owner = await db
    .selectFrom('app_user')
    .select(['id', 'full_name', 'user_name'])
    .where('user_name', '=', 'rep@example.com')
    .executeTakeFirstOrThrow();
  const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', owner.id).execute();
  // The rep's customer whose quotes have the most contract prices.
  const { rows: customers } = await sql<{ id: number; name: string }>`
    select f.id, f.name from quote q join facility f on f.id = q.facility_id and f.active and f.currn_idx = 1007
      join quote_item i on i.quote_id = q.id and i.price_source = 'Contract'
     where q.sales_rep_id = ${owner.id} group by f.id order by count(*) desc, f.id limit 1`.execute(db);
  const [customer] = customers;
  if (!customer) return;
  const { rows: items } = await sql<Known>`
    select item.item_number as number, item.description, item.manufacturer as maker,
      item.manufacturer_no as "makerNo", u.unit, u.factor as eaches, p.price
      from item join lateral (select * from item_unit where item_id = item.id order by factor desc limit 1) u on true
      join item_price p on p.item_id = item.id and p.unit = u.unit and p.min_qty = 1 and p.currn_idx = 1007
     where item.status = 'Active' and item.manufacturer_no <> ''
     order by row_number() over (partition by exists (select from contract_line l join contract_roster r
         on r.contract_id = l.contract_id and r.facility_id = ${customer.id} where l.item_id = item.id) order by item.id), item.id
     limit ${ROWS}`.execute(db);
  const lines = items.map((item, at) => usageOf(item, at).map(inQuotes).join(','));
  const text = [
    'Hospital item,Manufacturer,Manufacturer number,Vendor item,Description,UOM,Eaches per unit,Packaging,Annual quantity,Price',
    ...lines,
  ].join('\n');
  const name = `${customer.name}: usage of the year`;
  const user: Caller = {
    id: owner.id,
    userName: owner.user_name,
    fullName: owner.full_name,
    roles: roles.map(({ role }) => role as Role),
    sessionId: '',
    mustChangePassword: false,
    regionIds: [],
    supportedRepIds: [],
    deputyFor: [],
  };
  const input = { facilityId: customer.id, months: 12, name, text, divide: 'none' as const, facilities: [] };
  await uploadUsageFile({ db, user, services, upload: undefined }, input);
}

/**
 * The cells of one row. Of eight rows, four have the manufacturer's number, one has ours, one has none, one has a wrong pack, and one is not our
 * item.
 */
function usageOf({ number, description, maker, makerNo, unit, eaches, price }: Known, at: number): string[] {
  const kind = at % 8;
  const paid = (price * (PAID[at % PAID.length] ?? 1)).toFixed(2);
  const own = `SA-${4000 + at * 7}`;
  // Expensive items are bought in small numbers.
  const quantity = String(price > 300 ? 1 + (at % 5) : 12 + ((at * 37) % 220));
  if (kind === 7) return [own, '', '', '', STRANGE[Math.floor(at / 8)] ?? '', 'EA', '1', '', quantity, paid];
  const pack = kind === 6 ? `${eaches * 10} EA/${unit}` : '';
  const numbers = kind === 4 ? ['', '', number] : kind === 5 ? ['', '', ''] : [maker, makerNo, ''];
  const words = kind === 5 ? description.toUpperCase() : description;
  return [own, ...numbers, words, unit, String(eaches), pack, quantity, paid];
}

const inQuotes = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
