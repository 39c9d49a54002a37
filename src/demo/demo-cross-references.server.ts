// Fills the demo company's cross-references: lists of competitors, numbers of hospitals, and a few entries that contradict each other.
import type { Db } from '#platform/db/database.server.ts';
import type { ReferenceKind, ReferenceScope } from '#core/catalog/cross-references/reference-words.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import type { CatalogItem } from './demo-catalog.server.ts';
import type { DemoPlaces } from './demo-places.server.ts';
import { insertRows } from './insert-rows.server.ts';
import { seeded } from './random.server.ts';

const COUNT = 400;
/** Manufacturers and distributors with the prefixes of their numbers. All are fictional. */
const MAKERS = [
  ['Northfield Medical', 'NFM'],
  ['Halden Supply', 'HS-'],
  ['Brightwater Health', '00BW'],
  ['Oakline Distribution', 'OAK '],
  ['Corvale Surgical', 'CS7-'],
] as const;
const SOURCES = ['Cross-reference list of spring', 'Tender of the state hospitals', 'From the inside team'];
const NOTES = [
  '',
  '',
  '',
  '',
  'Ours is latex free.',
  'Theirs comes in a smaller box.',
  'Checked with the clinical team.',
];

/** Uses a separate random generator, so that the rest of the company is the same as without cross-references. */
export async function fillCrossReferences(
  db: Db,
  { facilities, users }: Pick<DemoPlaces, 'facilities' | 'users'>,
  items: readonly CatalogItem[],
  today: IsoDate,
): Promise<void> {
  const random = seeded(20_261_126);
  const active = items.filter((item) => item.active);
  const parents = facilities.filter(({ id }) => facilities.some(({ parentId }) => parentId === id));
  const authors = ['inside', 'cs', 'salesadmin'].flatMap((name) => users.get(name) ?? []);
  const rows = Array.from({ length: COUNT }, (_, nth) => {
    const item = random.pick(active);
    const scope = scopeOf(random.next());
    const [maker, prefix] = random.pick(MAKERS);
    // Customers have their own numbers for our items.
    const isOwn = scope === 'Facility' || (scope === 'Parent' && random.chance(0.5));
    const units = Object.keys(item.units);
    return {
      maker: isOwn ? '' : maker,
      number: isOwn
        ? `CUST ${4_000 + nth}-${'ABCD'[nth % 4]}`
        : `${prefix}${String(10_200 + nth * 13).padStart(6, '0')}`,
      item_id: item.id,
      unit: random.chance(0.6) ? (units.at(-1) ?? '') : '',
      kind: isOwn ? 'Same' : kindByChance(random.next()),
      scope,
      facility_id:
        scope === 'Facility' ? random.pick(facilities).id : scope === 'Parent' ? random.pick(parents).id : null,
      gpo_id: scope === 'GPO' ? random.int(1, 3) : null,
      note: random.pick(NOTES),
      source: isOwn ? `Quote ${104_000 + random.int(1, 900)}` : random.pick(SOURCES),
      confirmed: random.chance(0.5) ? random.int(1, 14) : 0,
      refused: random.chance(0.1) ? random.int(1, 3) : 0,
      ended: random.chance(0.04),
      made_by: authors.length > 0 ? random.pick(authors) : null,
      made_at: `${addDays(today, -random.int(1, 400))}T15:00:00Z`,
      version: 1,
    };
  });
  // Two lists contradict each other on the same numbers, so the user must decide.
  const contradicting = rows.filter(({ scope, ended }) => scope === 'Everybody' && !ended).slice(0, 3);
  for (const [nth, row] of contradicting.entries()) {
    const last = rows[COUNT - 1 - nth];
    const other = active.find(({ id }) => id !== row.item_id);
    if (!last || !other) continue;
    Object.assign(last, {
      ...row,
      item_id: other.id,
      unit: '',
      kind: 'Equivalent',
      source: SOURCES[1] ?? '',
      confirmed: 1,
      refused: 2,
    });
  }
  await insertRows(db, 'cross_reference', rows);
}

function scopeOf(chance: number): ReferenceScope {
  if (chance < 0.25) return 'Facility';
  if (chance < 0.32) return 'Parent';
  return chance < 0.4 ? 'GPO' : 'Everybody';
}

function kindByChance(chance: number): ReferenceKind {
  if (chance < 0.3) return 'Same';
  return chance < 0.85 ? 'Equivalent' : 'Substitute';
}
