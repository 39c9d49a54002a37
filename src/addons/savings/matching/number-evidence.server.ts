// Finds the items that the numbers of many rows mean, each with its evidence, in one statement.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { UNITS_DIFFER } from '#core/catalog/item-finder/number-matches.server.ts';
import { fitting } from '#core/catalog/item-finder/number-matches.server.ts';

/** The kind of the item's number. 'level': the GTIN of another of its packing levels. */
export type NumberKind = 'reference' | 'own' | 'maker' | 'gtin' | 'level' | 'customer';

/** An item that a number matches. */
export type NumberFit = {
  itemId: number;
  kind: NumberKind;
  /** The number as it is stored, or the text of the cross-reference. */
  wording: string;
  /** True if it means the item without the user's choice, unless it also matches other items. */
  isSure: boolean;
  /** True if the number is written differently from ours: other zeros, dashes or case. */
  isRewritten: boolean;
  /** Our unit that the number identifies. '' if unknown. */
  unit: string;
  /** The manufacturer of the item, and those to whom a reference assigns the number. */
  makers: string[];
};

const MOST = 9;
const KINDS: Record<string, NumberKind> = {
  'Item number': 'own',
  'Manufacturer number': 'maker',
  GTIN: 'gtin',
  'GTIN of another unit': 'level',
  "Customer's number": 'customer',
};

/** The items of each number, best first. Ignores numbers and references of customers other than the facility. */
export async function numberFits(
  db: Db,
  numbers: Iterable<string>,
  facilityId: number,
): Promise<Map<string, NumberFit[]>> {
  const request = [...new Set(numbers)].filter(Boolean);
  if (request.length === 0) return new Map();
  const { rows } = await sql<{
    typed: string;
    id: number;
    kind: string;
    number: string;
    sure: boolean;
    tier: number;
    unit: string;
    makers: string[];
  }>`
    select k.typed, f.item_id as id, f.kind, f.number, f.tier, f.sure,
        case f.kind when 'GTIN' then coalesce((select x.unit from item_identifier x
          where x.item_id = f.item_id and x.kind = 'GTIN' and x.value = f.number), '') else f.unit end as unit,
        case when f.kind like '%:' then array(select distinct x.maker from cross_reference x
            where x.number_key = number_key(k.typed) and x.item_id = f.item_id and not x.ended and x.maker <> '')
          else array_remove(array[item.manufacturer, item.brand], '') end as makers
      from unnest(${request}::text[]) as k(typed),
        lateral (select * from (${fitting(sql`k.typed`, sql.lit(facilityId))}) g where g.tier <= g.best
          order by place, item_id limit ${sql.lit(MOST)}) f
      join item on item.id = f.item_id
     order by f.place, item.status, item.item_number`.execute(db);
  const result = new Map<string, NumberFit[]>();
  for (const { typed, id, kind, number, sure, tier, unit, makers } of rows) {
    const evidence = kind.endsWith(':') ? 'reference' : (KINDS[kind] ?? 'level');
    const fit: NumberFit = {
      itemId: id,
      kind: evidence,
      wording: evidence === 'reference' ? `${kind} ${number}` : number,
      isSure: sure && evidence !== 'level' && unit !== UNITS_DIFFER,
      isRewritten: evidence !== 'reference' && (tier >= 2 ? number !== typed : tier === 1),
      unit: unit === UNITS_DIFFER ? '' : unit,
      makers,
    };
    result.set(typed, [...(result.get(typed) ?? []), fit]);
  }
  return result;
}
