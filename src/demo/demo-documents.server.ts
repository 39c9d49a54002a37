// Fills the documents of the demo company's products: some of every category, one that ends soon, one without a product.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import type { DemoProduct } from './demo-catalog.server.ts';
import { onePagePdf } from './one-page-pdf.server.ts';

/** The classes of durable equipment, which have a warranty. */
const DURABLE = [2, 3, 9, 11];

type Kind = {
  category: string;
  lines: string[];
  /** Whether a product has one. */
  of: (product: DemoProduct) => boolean;
  label?: string;
};

const KINDS: Kind[] = [
  {
    category: 'Instructions for use',
    lines: ['Keep dry and out of sunlight.', 'Use by the date on the package. For professional use.'],
    of: () => true,
    label: 'Rev. A',
  },
  { category: 'Brochure', lines: [], of: ({ id }) => id % 3 === 0 },
  {
    category: 'Specification',
    lines: ['Sizes, materials and packaging.'],
    of: ({ id }) => id % 4 === 0,
    label: '2026',
  },
  { category: 'Safety data sheet', lines: ['No hazardous ingredients.'], of: ({ id }) => id % 8 === 3 },
  { category: 'Clearance', lines: ['For our files.'], of: ({ id }) => id % 6 === 2 },
  { category: 'Warranty', lines: ['Two years on parts.'], of: ({ classIndex }) => DURABLE.includes(classIndex) },
  { category: 'Price sheet', lines: ['For internal use.'], of: ({ id }) => id % 10 === 1 },
];

export async function fillDocuments(
  services: Services,
  db: Db,
  products: DemoProduct[],
  today: IsoDate,
): Promise<void> {
  const categories = await db.selectFrom('document_category').select(['id', 'name']).execute();
  for (const { category, lines, of, label = '' } of KINDS) {
    const category_id = categories.find(({ name }) => name === category)?.id ?? 0;
    for (const product of products.filter(of)) {
      const { id, family } = product;
      const bytes = onePagePdf([family, category, '', 'Demonstration document.', ...lines]);
      const file = await db
        .insertInto('file')
        .values({
          storage_key: await services.files.put(bytes),
          name: `${family} - ${category.toLowerCase()}.pdf`,
          media_type: 'application/pdf',
          size: bytes.length,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const document = await db
        .insertInto('document')
        .values({ category_id, title: `${family}: ${category.toLowerCase()}` })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('document_revision')
        .values({
          document_id: document.id,
          file_id: file.id,
          label,
          valid_from: '2020-01-01',
          // Some brochures end soon.
          valid_to: category === 'Brochure' && id % 9 === 0 ? addDays(today, 30) : null,
        })
        .execute();
      const belongsToNothing = category === 'Price sheet' && id === 11;
      if (!belongsToNothing)
        await db.insertInto('document_link').values({ document_id: document.id, product_id: id }).execute();
    }
  }
}
