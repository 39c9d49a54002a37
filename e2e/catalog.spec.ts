// Tests the way from ERP items to products with pictures and documents that a rep sends, using only the screens. docs/catalog.md
// describes it, and this file takes the pictures.
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { onePagePdf } from '#demo/one-page-pdf.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { addField } from '#testing/a-board.ts';
import { expect, test } from '#testing/browser.ts';
import { picture } from '#testing/picture.ts';
import { anItemClass } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';

test.use({ company: 'catalog' });

const ITEMS = `Item Number,Description,Class,Base Unit,Manufacturer,Manufacturer Number
GLV-S,"Exam glove, nitrile, small",Gloves,BX,Aurora,AU-100-S
GLV-M,"Exam glove, nitrile, medium",Gloves,BX,Aurora,AU-100-M
GLV-L,"Exam glove, nitrile, large",Gloves,BX,Aurora,AU-100-L
BED-100,"Hospital bed, electric",Beds,EA,Restline,RL-100
BED-200,"Bariatric bed, 48 in",Beds,EA,Restline,RL-200
MAT-10,"Mattress, pressure relief",Beds,EA,Restline,RL-10
LMP-1,Ceiling exam light,Lights,EA,Sunline,400
LMP-2,Procedure light on wheels,Lights,EA,Moonline,400
FRT-1,Freight surcharge,Services,EA,,
`;
const PRICES = `Item Number,Unit,Price
GLV-S,BX,9.84
GLV-M,BX,9.84
BED-100,EA,1800
`;
/** File names decide where pictures go: 27 match one item each, two match a number that two lights share, and one matches no item. */
const NAMED = [
  ...['GLV-S', 'GLV-M', 'GLV-L'].flatMap((number) => [`${number}.png`, `${number}_2.png`, `${number}-front.png`]),
  ...['BED-100', 'BED-200', 'MAT-10'].flatMap((number) => [1, 2, 3, 4, 5, 6].map((n) => `${number}_${n}.png`)),
];
const AMBIGUOUS = ['400.png', '400_2.png'];

/** Makes a plain drawing that differs from all others. */
async function drawn(name: string, n: number) {
  const hue = (n * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#fff"/>
    <rect x="${120 + n}" y="90" width="400" height="300" rx="${20 + 3 * n}" fill="hsl(${hue},45%,62%)"/>
    <rect x="${160 + n}" y="150" width="240" height="36" rx="8" fill="#fff" opacity=".8"/></svg>`;
  return { name, mimeType: 'image/png', buffer: await sharp(Buffer.from(svg)).png().toBuffer() };
}

async function importFile(page: Page, kind: string, text: string): Promise<void> {
  const wizard = page.getByRole('region', { name: 'Import', exact: true });
  await page.getByRole('combobox', { name: 'What is in the file?' }).fill(kind);
  await page.getByRole('option', { name: kind, exact: true }).click();
  const file = { name: `${kind}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await wizard.getByRole('button', { name: 'Check' }).click();
  await wizard.getByRole('button', { name: 'Apply' }).click();
  await expect(wizard.getByText(/^Imported by/)).toBeVisible();
  await wizard.getByRole('button', { name: 'New import' }).click();
}

const display = (place: Locator) => place.locator('img');

test('items become products with pictures and documents, which a rep sees and sends', async ({
  page: admin,
  server,
  signIn,
  browser,
  address: baseURL,
}) => {
  test.slow();
  const { db } = server;
  await signIn(await aUser(db, { roles: ['systemadmin'], fullName: 'Cora Catalog' }));
  await admin.setViewportSize({ width: 1200, height: 760 });
  for (const name of ['Gloves', 'Beds', 'Lights', 'Services']) await anItemClass(db, { name });

  // The items come from the ERP.
  await admin.goto(paths.dataImport);
  await importFile(admin, 'Items', ITEMS);
  await importFile(admin, 'List prices', PRICES);

  // Gives each item its product by keyboard, newest first.
  await admin.goto(paths.itemMapping);
  const active = admin.getByRole('list', { name: 'Items' }).locator('[aria-current="true"]');
  await expect(active).toContainText('FRT-1');
  await admin.keyboard.press('x');
  await admin.getByRole('dialog', { name: 'Leave out FRT-1' }).getByLabel('Why').fill('Service or freight');
  await admin.keyboard.press('ControlOrMeta+Enter');
  for (const number of ['LMP-2', 'LMP-1', 'MAT-10', 'BED-200', 'BED-100', 'GLV-L']) {
    await expect(active).toContainText(number);
    await expect(active).toBeFocused();
    await admin.keyboard.press('n');
  }
  await expect(active).toContainText('GLV-M');

  // Makes one product for all sizes and describes it in a buyer's words.
  await admin.goto(`${paths.products}?keyword=glove`);
  await admin.getByRole('link', { name: 'Exam glove, nitrile, large' }).click();
  const form = admin.getByRole('form', { name: 'Product' });
  await form.getByLabel('Name').fill('Aurora exam glove, nitrile');
  await form
    .getByLabel('Text')
    .fill('Powder-free nitrile glove with textured fingertips. Not made with natural rubber latex.');
  await form.getByLabel('Brand').fill('Aurora');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByText('Aurora exam glove, nitrile is saved.')).toBeVisible();
  await admin.goto(paths.itemMapping);
  for (const number of ['GLV-M', 'GLV-S']) {
    await expect(active).toContainText(number);
    await expect(admin.getByRole('list', { name: `Products for ${number}` })).toContainText('Same brand: Aurora');
    if (number === 'GLV-M') await picture(admin, 'catalog/mapping');
    await expect(active).toBeFocused();
    await admin.keyboard.press('Enter');
  }
  await expect(admin.getByText('Every item has a product.')).toBeVisible();

  // Thirty pictures find their products by their names.
  await admin.goto(paths.imageInbox);
  const files = await Promise.all([...NAMED, ...AMBIGUOUS].map(drawn));
  const broken = { name: 'BED-100_9.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') };
  await admin.locator('input[type="file"]').setInputFiles([...files, broken]);
  await expect(admin.getByText('30 files sent. 29 new pictures, 1 not accepted.')).toBeVisible({ timeout: 60_000 });
  const waiting = admin.getByRole('region', { name: 'Waiting for process' });
  await expect(waiting).toContainText('27 matched, 2 ambiguous, 0 without a product');
  await expect(waiting.getByText('Being checked…')).toHaveCount(0, { timeout: 60_000 });
  await expect(admin.getByRole('list', { name: 'Files that were sent' }).getByRole('listitem').first()).toContainText(
    'BED-100_9.png',
  );
  await picture(admin, 'catalog/inbox');
  for (const [at, name] of AMBIGUOUS.entries()) {
    await waiting.getByRole('checkbox', { name: `Select ${name}` }).focus();
    await admin.keyboard.press(String(at + 1));
    await expect(waiting).toContainText(`${28 + at} matched, ${1 - at} ambiguous`);
  }
  await waiting.getByRole('button', { name: 'Send all matched' }).click();
  const filing = admin.getByRole('region', { name: 'File operation' });
  await expect(filing.getByRole('listitem')).toHaveCount(29, { timeout: 60_000 });
  await filing.getByRole('checkbox', { name: /^Select all shown/ }).check();
  await admin
    .getByRole('region', { name: 'Selected pictures' })
    .getByRole('button', { name: 'File', exact: true })
    .click();
  await expect(filing).toContainText('No pictures waiting to be filed.', { timeout: 60_000 });

  // Uploads a brochure and links it to the bed.
  await admin.goto(paths.itemDocuments);
  await admin.getByRole('button', { name: 'Upload' }).click();
  const upload = admin.getByRole('dialog', { name: 'Upload documents' });
  await upload
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Bed brochure.pdf', mimeType: 'application/pdf', buffer: onePagePdf(['bed']) });
  await expect(upload.getByRole('list', { name: 'Files' }).getByText('saved')).toBeVisible();
  await upload.getByRole('combobox', { name: 'Add a product or an item' }).fill('hospital bed');
  await admin.getByRole('option', { name: 'Hospital bed, electric' }).filter({ hasNotText: 'BED-100' }).click();
  await upload.getByRole('button', { name: 'Link' }).click();
  await expect(upload.getByText('Linked.')).toBeVisible();
  await picture(admin, 'catalog/documents');

  // A rep finds the glove with its picture where items are picked.
  const office = await aSalesOffice(db);
  const quote = await aQuote(db, {
    facility: office.facility,
    ownerId: office.rep.id,
    regionId: office.region.id,
    territoryId: office.territory.id,
    statusId: 'Editing',
  });
  const person = async (user: { id: number }) => {
    const context = await browser.newContext({
      baseURL,
      viewport: { width: 1200, height: 760 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await signIn(user, page);
    return page;
  };
  const rep = await person(office.rep);
  await rep.goto(paths.publicBoard(quote.id));
  await addField(rep).fill('BED-100');
  await addField(rep).press('Enter');
  await expect(rep.getByLabel('Quantity of line 1')).toBeFocused();
  const result = rep.getByRole('row', { name: /GLV-M/ });
  const pick = async () => {
    await rep.goto(`${paths.itemSearch}?keyword=GLV-M&recent=0`);
    await expect(result).toContainText('Aurora exam glove, nitrile');
  };
  await pick();
  await expect(display(result)).toHaveCount(1);
  const source = (await display(result).getAttribute('src')) ?? '';
  expect((await rep.request.get(source)).status()).toBe(200);
  await picture(rep, 'catalog/search');

  // Hides all pictures of the glove from sales reps. Reps cannot open them at their old addresses either.
  await admin.goto(`${paths.itemImages}?keyword=aurora`);
  const shelf = admin.getByRole('list', { name: 'Pictures of Aurora exam glove, nitrile' });
  await expect(shelf.getByRole('listitem').first()).toContainText('GLV-L.png');
  await admin.getByRole('button', { name: 'Select all pictures of Aurora exam glove, nitrile' }).click();
  await picture(admin, 'catalog/gallery');
  await admin
    .getByRole('region', { name: 'Selected pictures' })
    .getByRole('button', { name: 'Hide from roles…' })
    .click();
  const hiding = admin.getByRole('dialog', { name: 'Visibility of 9 pictures' });
  await hiding.getByRole('checkbox', { name: 'Sales representative' }).check();
  await hiding.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(hiding).toHaveCount(0);
  expect((await rep.request.get(source)).status()).toBe(404);
  await pick();
  await expect(display(result)).toHaveCount(0);

  // The bed goes to the customer with its picture and its brochure.
  await rep.goto(paths.publicBoard(quote.id));
  await expect(display(rep.getByRole('grid', { name: 'Lines' }))).toHaveCount(1);
  await rep.getByRole('button', { name: 'Submit' }).click();
  await expect(rep.getByText('Waiting For Process').first()).toBeVisible();
  const inside = await person(office.inside);
  await inside.goto(paths.internalBoard(quote.id));
  await inside.getByRole('button', { name: 'Start Processing' }).click();
  await inside.getByRole('button', { name: 'Send', exact: true }).click();
  const sending = inside.getByRole('dialog', { name: 'Send to customer' });
  await expect(sending.getByRole('checkbox', { name: /Bed brochure/ })).toBeChecked();
  await sending.getByRole('checkbox', { name: 'Show item pictures' }).check();
  await picture(inside, 'catalog/send');
  await sending.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(inside.getByText('Sent To Customer').first()).toBeVisible();
  const sent = () => server.mails.find(({ text }) => text.includes('/quote-doc/'));
  await expect.poll(sent, { timeout: 30_000 }).toBeDefined();
  await inside.goto(/\S+\/quote-doc\/\S+/.exec(sent()?.text ?? '')?.[0] ?? '');
  await expect(inside.getByText('Bed brochure').first()).toBeVisible();
  const line = inside.getByRole('row', { name: /BED-100/ });
  await expect(display(line)).toHaveCount(1);
  await expect.poll(() => display(line).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await picture(inside, 'catalog/customer');
  for (const page of [rep, inside]) await page.context().close();
});
