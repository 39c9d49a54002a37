// The contracts of the measured company: three long ones, many short ones, and their tiers, prices, rosters, letters, and folders.
import { type RawBuilder, sql } from 'kysely';

export type ContractScale = {
  contracts: number;
  /** Applies to each of the three longest contracts; the others have at most a fifth as many. */
  contractLines: number;
  tiers: number;
  rosterRows: number;
};

/** The long contracts have the ids from 1 to this number. */
export const LONG_CONTRACTS = 3;
/** Lines of this contract are on three of every five quotes. */
export const MAX_QUOTED = 1;
export const GPOS = 8;
/** Folders per contract. */
export const FOLDERS = 10;

/** More than half of the facilities are members of the first GPO. */
const gpoOf = (facility: RawBuilder<unknown>) =>
  sql`case when ${facility} % 16 < 8 then 1 else ${facility} % ${sql.lit(GPOS)} + 1 end`;

/** The statements that fill the contracts, before the quotes. */
export function contracts(
  { contracts: count, contractLines, tiers, rosterRows }: ContractScale,
  { items, facilities }: { items: number; facilities: number },
): RawBuilder<unknown>[] {
  const each = sql`generate_series(1, ${count}::int) c`;
  /** The number of contracts of a GPO besides its first one. */
  const others = Math.floor(count / GPOS) - 1;
  return [
    sql`update facility set parent_id = id - id % 25 where id > 25 and id % 25 between 1 and 12`,
    sql`insert into gpo (id, name) select n, 'Group ' || n from generate_series(1, ${GPOS}::int) n`,
    sql`insert into gpo_membership (facility_id, gpo_id, is_primary, valid_from)
      select n, ${gpoOf(sql`n`)}, true, date '2020-01-01' from generate_series(1, ${facilities}::int) n`,
    sql`insert into gpo_contract (id, number, gpo_id, title, category, effective_from, effective_to, open_to, predecessor_id)
      select c, 'V-' || 2000 + c, (c - 1) % ${GPOS}::int + 1, 'Contract ' || c, 'Category ' || c % 20, date '2020-01-01',
        current_date + case when c <= ${GPOS}::int then 400 else c * 37 % 900 - 100 end, case c % 7 when 0 then 'members' else 'roster' end,
        case when c > ${GPOS}::int and c % 10 = 0 then c - ${GPOS}::int end
      from ${each}`,
    sql`insert into contract_tier (id, contract_id, tier_no, name, requirement, needs_loc, fallback_tier_id)
      select (c - 1) * ${tiers}::int + t, c, t, 'Tier ' || t, t * 20 || ' % of the category', t > 2,
        case when t > 2 then (c - 1) * ${tiers}::int + 2 end
      from ${each}, generate_series(1, ${tiers}::int) t order by c, t`,
    sql`insert into contract_line (contract_id, item_id, unit)
      select c, (c * 7 + n * 13) % ${items}::int + 1, 'EA'
      from ${each}, generate_series(1,
        case when c <= ${LONG_CONTRACTS}::int then ${contractLines}::int else ${contractLines}::int / (5 + c % 95) end) n
      order by c, n`,
    // One line in ten has a price that ends, and another one after it.
    sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from, valid_to)
      select l.id, t.id, 8 + l.id % 50 + (${tiers}::int - t.tier_no) * 0.25 + k,
        case k when 0 then date '2020-01-01' else current_date + 31 end,
        case when k = 0 and l.id % 10 = 0 then current_date + 30 end
      from contract_line l join contract_tier t on t.contract_id = l.contract_id
      join generate_series(0, 1) k on k = 0 or l.id % 10 = 0`,
    sql`insert into contract_roster (contract_id, facility_id, tier_id, member_id, covers_children, valid_from)
      select contract_id, facility_id, (contract_id - 1) * ${tiers}::int + (n + k) % ${tiers}::int + 1,
        'M' || facility_id, facility_id % 25 = 0, date '2020-01-01'
      from (select n, k, n % ${facilities}::int + 1 as facility_id, ${gpoOf(sql`(n % ${facilities}::int + 1)`)} +
          case when k = 0 then 0
          else ${GPOS}::int * (1 + (n % ${facilities}::int / ${GPOS}::int + k * 6) % greatest(${others}::int, 1)) end as contract_id
        from (select n, n / ${facilities}::int as k from generate_series(0, ${rosterRows - 1}::int) n) row) placed
      where contract_id <= ${count}::int`,
    sql`insert into contract_loc (contract_id, tier_id, facility_id, covers_children, state, valid_from)
      select r.contract_id, r.tier_id, r.facility_id, r.covers_children,
        case r.id % 4 when 0 then 'Received' else 'Approved' end, r.valid_from
      from contract_roster r join contract_tier t on t.id = r.tier_id where t.needs_loc`,
    sql`insert into contract_folder (contract_id, name, name_key) select c, 'Folder ' || n, 'folder ' || n
      from ${each}, generate_series(1, ${FOLDERS}::int) n order by c, n`,
    sql`insert into file (storage_key, name, media_type, size) values ('contract/any', 'contract.pdf', 'application/pdf', 50000)`,
    sql`insert into contract_file (contract_id, folder_id, name, name_key, audience, file_id)
      select d.contract_id, d.id, 'Amendment ' || n || '.pdf',
        'amendment ' || n || '.pdf', case n % 5 when 0 then 'contractdept' else 'all' end, f.id
      from contract_folder d, generate_series(1, 20) n, (select id from file where storage_key = 'contract/any') f`,
    sql`insert into contract_file_version (contract_file_id, version_no, file_id) select id, 1, file_id from contract_file`,
  ];
}

/** The contract line of a quote line, or null. The first line of three in five quotes and the second line of every other quote have one. */
export function contractLineOf(
  quote: RawBuilder<unknown>,
  lineNo: RawBuilder<unknown>,
  { contractLines }: ContractScale,
) {
  return sql`case when ${lineNo} = 1 and ${quote} % 5 < 3 then ${quote} % ${contractLines}::int + 1
    when ${lineNo} = 2 and ${quote} % 2 = 0 then (${quote}::bigint * 7919 % (select max(id) from contract_line))::int + 1 end`;
}
