// Fills the open work of the demo company's catalog: pictures in the inbox and items to map, by the program's own rules.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { takePicture } from '#core/catalog/pictures/inbox/take-picture.server.ts';
import { keepSuggestions } from '#core/catalog/products/mapping/suggestions.server.ts';
import { dayIn } from '#platform/shared/dates.ts';
import { SHARED_NUMBER } from './demo-catalog.server.ts';
import { drawingFile } from './demo-pictures.server.ts';

/** Call this after storing everything else, because the inbox uses its own transactions, and jobs make the sizes. */
export async function fillInbox(services: Services): Promise<void> {
  const { db } = services.database;
  const items = await db
    .selectFrom('item')
    .select(['id', 'item_number', 'product_id', 'mapping_state'])
    .orderBy('id')
    .execute();
  const left = items.filter(({ product_id, mapping_state }) => product_id === null && mapping_state !== 'Ignored');
  await keepSuggestions(
    services,
    left.map(({ id }) => id),
  );
  const [first, second] = items.filter(({ product_id }) => product_id !== null);
  const damaged = await drawingFile('Nasal cannula', 4, 41);
  const waiting: [name: string, bytes: Buffer][] = [
    [`${first?.item_number}-back.png`, await drawingFile('Exam glove', 0, 35)],
    [`${second?.item_number}_2.png`, await drawingFile('Foam dressing', 1, 36)],
    [`${SHARED_NUMBER}.png`, await drawingFile('Medication cart', 11, 37)],
    ['IMG_4711.png', await drawingFile('Stethoscope', 7, 39)],
    // The number of an item that has no product yet.
    [`${left[0]?.item_number}.png`, await drawingFile('IV pole', 5, 40)],
    ['cannula-scan.png', damaged.subarray(0, damaged.length / 3)],
  ];
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'demo-inbox-'));
  try {
    for (const [name, bytes] of waiting) {
      const file = path.join(folder, name);
      await fs.writeFile(file, bytes);
      await takePicture(services, { path: file, name, by: null });
    }
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes files of an ERP to the watched folder: new items, one of them without a number, and next year's list prices. They are imported at the start.
 */
export async function fillImports(services: Services): Promise<void> {
  const { importInbox: root } = services.config;
  if (!root || root.startsWith('s3:')) return;
  const { rows } = await sql<{ number: string; unit: string; price: number }>`
    select item.item_number as number, p.unit, p.price from item
    join item_price p on p.item_id = item.id and p.min_qty = 1 and p.currn_idx = 1007
     where item.status = 'Active' order by item.id limit 40`.execute(services.database.db);
  const year = Number(dayIn('America/Chicago', services.clock.now()).slice(0, 4)) + 1;
  const files: [name: string, lines: string[]][] = [
    [
      'items/new-items.csv',
      [
        'Item number,Description,Base unit',
        '889001,"Exam glove, nitrile, long cuff, medium",BX',
        '889002,"Exam glove, nitrile, long cuff, large",BX',
        ',"Exam glove, nitrile, long cuff, small",BX',
      ],
    ],
    [
      `prices/list-${year}.csv`,
      [
        'Item number,Unit,List price,Price date',
        ...rows.map(({ number, unit, price }) => [number, unit, (price * 1.03).toFixed(2), `01/01/${year}`].join()),
      ],
    ],
  ];
  for (const [name, lines] of files) {
    const file = path.join(root, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, `${lines.join('\n')}\n`);
    // The import skips very new files, because they may still be incomplete.
    const before = new Date(Date.now() - 60_000);
    await fs.utimes(file, before, before);
  }
}
