// The records of a facility that move when it is merged into another one. Quotes move in their own feature.
import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.server.ts';

type Move = {
  table: string;
  /** The singular and the plural. */
  what: readonly [string, string];
  column: 'facility_id' | 'parent_id';
  versioned?: true;
  /** SQL that matches a row `k` of the remaining facility with the same meaning as row `t`. Row `t` then stays behind. */
  same?: Sql;
};

const sameDays = sql`coalesce(k.valid_from, '-infinity') <= coalesce(t.valid_to, 'infinity')
  and coalesce(k.valid_to, 'infinity') >= coalesce(t.valid_from, '-infinity')`;
const isOpen = (row: Sql) => sql`${row}.state in ('Requested', 'InReview', 'NeedInfo', 'SentToGpo')`;

export const MOVES: readonly Move[] = [
  {
    table: 'account_price',
    what: ['account price', 'account prices'],
    column: 'facility_id',
    same: sql`k.item_id = t.item_id and k.currn_idx = t.currn_idx and k.unit = t.unit and k.min_qty = t.min_qty
      and (k.valid_from = t.valid_from or ${sameDays})`,
  },
  {
    table: 'gpo_membership',
    what: ['GPO membership', 'GPO memberships'],
    column: 'facility_id',
    same: sql`k.gpo_id = t.gpo_id and ${sameDays}`,
  },
  {
    table: 'contract_roster',
    what: ['roster row', 'roster rows'],
    column: 'facility_id',
    versioned: true,
    same: sql`k.contract_id = t.contract_id and ${sameDays}`,
  },
  {
    table: 'contract_loc',
    what: ['letter of commitment', 'letters of commitment'],
    column: 'facility_id',
    versioned: true,
  },
  {
    table: 'eligibility_request',
    what: ['eligibility request', 'eligibility requests'],
    column: 'facility_id',
    versioned: true,
    same: sql`k.contract_id = t.contract_id and k.tier_id = t.tier_id and ${isOpen(sql`k`)} and ${isOpen(sql`t`)}`,
  },
  { table: 'contact', what: ['contact', 'contacts'], column: 'facility_id' },
  { table: 'facility_identifier', what: ['identifier', 'identifiers'], column: 'facility_id', versioned: true },
  { table: 'facility_alias', what: ['roster name', 'roster names'], column: 'facility_id' },
  {
    table: 'item_identifier',
    what: ['customer item number', 'customer item numbers'],
    column: 'facility_id',
    same: sql`k.item_id = t.item_id and k.kind = t.kind and k.value = t.value`,
  },
  {
    table: 'cross_reference',
    what: ['cross-reference', 'cross-references'],
    column: 'facility_id',
    versioned: true,
    same: sql`k.number_key = t.number_key and k.zeros = t.zeros and k.item_id = t.item_id and k.scope = t.scope
      and folded_text(k.maker) = folded_text(t.maker) and k.ended = t.ended`,
  },
  {
    table: 'account_override',
    what: ['account override', 'account overrides'],
    column: 'facility_id',
    same: sameDays,
  },
  { table: 'facility', what: ['member', 'members'], column: 'parent_id', versioned: true },
];
