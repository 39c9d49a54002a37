// Removes order files from the folder whose rows were cleared by age (src/platform/retention).
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Services } from '#platform/api/services.server.ts';

/** Leaves a file with other content than was written. Looks at the whole folder, so what a kill left behind goes the next time. */
export async function removeClearedFiles({
  database: { db },
  config: { orderFolder },
}: Pick<Services, 'database' | 'config'>): Promise<number> {
  if (!orderFolder) return 0;
  const names = (await fs.readdir(orderFolder).catch(() => [])).filter((name) => name.startsWith('order-'));
  if (names.length === 0) return 0;
  const rows = await db
    .selectFrom('order_file')
    .select(['name', 'sha256'])
    .where('cleared_at', 'is not', null)
    .where('name', '=', (eb) => eb.fn.any(eb.val(names)))
    .execute();
  let removed = 0;
  for (const { name, sha256 } of rows) {
    const file = path.join(orderFolder, name);
    const content = await fs.readFile(file).catch(() => null);
    if (content === null || createHash('sha256').update(content).digest('hex') !== sha256) continue;
    await fs.rm(file, { force: true });
    removed++;
  }
  return removed;
}
