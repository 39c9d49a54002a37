// Contracts for tests of price files: creates them, imports prices into them, and reads their prices afterwards.
import { sql } from 'kysely';
import { anItem } from './factories/catalog.server.ts';
import { aContract, aContractPrice, aTier } from './factories/contracts.server.ts';
import type { Importer } from './an-importer.server.ts';
import type { TestServer } from './test-server.server.ts';

/** The kind of the import. */
export const PRICES = 'contract-prices';
export const priceFile = (...rows: string[]): string =>
  ['Contract No,Item No,UOM,Tier,Price,From,To', ...rows].join('\n');

let last = 0;

/** `server` and `ada` return the test file's server and importer, which exist once its tests run. */
export function pricedContracts(server: () => TestServer, ada: () => Importer) {
  /** A contract with two tiers and one line, priced per BX of 10 since 2020: 40.00 in tier 1, 36.00 in tier 2. */
  async function aPriced(overrides: { units?: Record<string, number>; to?: string } = {}) {
    const { db } = server();
    const n = ++last;
    const item = await anItem(db, {
      number: `CP-${n}`,
      manufacturerNo: `MF-${n}`,
      units: overrides.units ?? { EA: 1, BX: 10, CS: 100 },
      prices: [],
    });
    const contract = await aContract(db, {
      number: `PF-${n}`,
      ...(overrides.to ? { to: overrides.to } : {}),
      lines: [{ itemId: item.id, price: 40, unit: 'BX' }],
    });
    const second = await aTier(db, { contractId: contract.id, no: 2, name: 'Committed' });
    await aContractPrice(db, { lineId: contract.lineIds[0] ?? 0, tierId: second.id, price: 36 });
    return { item: item.itemNumber, maker: `MF-${n}`, itemId: item.id, number: contract.number, id: contract.id };
  }

  /** The prices of a contract as text: '1: BX 40 2020-01-01..'. */
  async function pricesOf({ id }: { id: number }): Promise<string[]> {
    const { rows } = await sql<{ price: string }>`
      select t.tier_no || ': ' || l.unit || ' ' || trim_scale(p.price)::text || ' ' || p.valid_from || '..'
        || coalesce(p.valid_to::text, '')
        || coalesce(' (line to ' || l.valid_to || ')', '') as price
      from contract_line_price p join contract_line l on l.id = p.contract_line_id join contract_tier t on t.id = p.tier_id
      join item i on i.id = l.item_id
      where l.contract_id = ${id} order by i.item_number, l.unit, t.tier_no, p.valid_from`.execute(server().db);
    return rows.map(({ price }) => price);
  }

  /** Uploads and checks a price file. */
  const start = async (text: string, options?: Record<string, unknown>) =>
    ada().check(await ada().upload(PRICES, text), options);
  return { aPriced, pricesOf, start };
}
