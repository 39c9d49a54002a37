// Makes the pictures of the demo company's products, in all sizes of a picture.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { fileSizes, type Stored, storeFiles } from '#core/catalog/pictures/renditions/check-picture.server.ts';
import { renderPicture } from '#core/catalog/pictures/renditions/renditions.server.ts';
import { CLASSES } from './catalog.server.ts';
import type { DemoProduct } from './demo-catalog.server.ts';
import { drawingOf } from './drawings.server.ts';

type Drawn = {
  name: string;
  productIds: number[];
  alt: string;
  hiddenRoles: string[];
  sha256: string;
  source: { key: string; size: number };
  width: number;
  height: number;
  sizes: Stored;
};

/** Every eleventh product has no picture yet. */
const hasPicture = ({ id }: DemoProduct) => id % 11 !== 0;

/** Makes and stores the pictures. Needs no database. */
export async function drawPictures(services: Pick<Services, 'files'>, products: DemoProduct[]): Promise<Drawn[]> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'demo-pictures-'));
  try {
    const views = products.filter(hasPicture).flatMap((product) =>
      // Some products have a second and a third view.
      [0, ...(product.id % 8 === 1 ? [1] : []), ...(product.id === 1 ? [2] : [])].map((view) => ({
        product,
        view,
      })),
    );
    return await Promise.all(views.map(({ product, view }) => drawn(services, folder, product, view)));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** The PNG of one view. Views have different backgrounds, so that no two are the same picture. */
export function drawingFile(family: string, classIndex: number, turn: number): Promise<Buffer> {
  const svg = drawingOf(family, CLASSES[classIndex]?.color ?? '#777', turn, turn % 2 === 0);
  return sharp(Buffer.from(svg)).png({ compressionLevel: 3 }).toBuffer();
}

async function drawn(
  { files }: Pick<Services, 'files'>,
  folder: string,
  { id, family, brand, classIndex }: DemoProduct,
  view: number,
): Promise<Drawn> {
  const name = `${brand} ${family}${view > 0 ? `_${view + 1}` : ''}.png`;
  const own = path.join(folder, `${id}-${view}`);
  await fs.mkdir(own);
  const file = path.join(own, 'original');
  const bytes = await drawingFile(family, classIndex, id + view);
  await fs.writeFile(file, bytes);
  const created = await renderPicture({ file, folder: own, turns: 0 });
  if ('refused' in created) throw new Error(`${name}: ${created.refused}`);
  return {
    name,
    // The picture of nitrile gloves also shows the vinyl ones.
    productIds: id === 1 && view === 0 ? [id, 13] : [id],
    alt: view === 0 ? '' : `${family}, view ${view + 1}`,
    hiddenRoles: hiddenRolesOf(id, view),
    // Two products may have the same shapes. Each still has its own picture.
    sha256: createHash('sha256').update(name).update(bytes).digest('hex'),
    source: { key: await files.putFile(file), size: bytes.length },
    width: created.width,
    height: created.height,
    sizes: await storeFiles({ files }, created.files),
  };
}

/** Hides one picture from sales representatives and sales support, and one from customers. */
function hiddenRolesOf(productId: number, view: number): string[] {
  if (productId === 5 && view === 0) return ['salesrep', 'salessupport'];
  return productId === 9 && view === 0 ? ['customer'] : [];
}

export async function fillPictures(db: Db, pictures: Drawn[]): Promise<void> {
  const positions = new Map<number, number>();
  for (const picture of pictures) {
    const { name, source, sizes, productIds, sha256, width, height, alt, hiddenRoles } = picture;
    const original = await db
      .insertInto('file')
      .values({ storage_key: source.key, name, media_type: 'image/png', size: source.size })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ids = await fileSizes(db, name, sizes);
    const { id } = await db
      .insertInto('picture')
      .values({
        sha256,
        name,
        state: 'Filed',
        step: '',
        match: 'matched',
        media_type: 'image/png',
        size: source.size,
        width,
        height,
        file_id: original.id,
        thumb_file_id: ids.thumb,
        medium_file_id: ids.medium,
        large_file_id: ids.large,
        print_file_id: ids.print,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('picture_source').values({ picture_id: id, name }).execute();
    for (const product_id of productIds) {
      const position = positions.get(product_id) ?? 0;
      positions.set(product_id, position + 1);
      await db
        .insertInto('product_image')
        .values({
          product_id,
          picture_id: id,
          file_id: ids.medium,
          thumb_file_id: ids.thumb,
          position,
          alt,
          hidden_roles: hiddenRoles,
        })
        .execute();
    }
  }
}
