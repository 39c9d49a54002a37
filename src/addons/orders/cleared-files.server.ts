// Removes order files from the folder after their rows were cleared by age (src/platform/retention).
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Services } from '#platform/api/services.server.ts';

/** Keeps a file whose content is not what was written. Checks the whole folder, so that it also removes files that a killed process left behind. */
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
