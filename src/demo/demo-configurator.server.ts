// Fills a configurable bed of the demo company with 40 options and rules between them, and the configurator items of two quotes.
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { ModelInput } from '#addons/configurable-models/configurable-models.contract.ts';
import { saveModel } from '#addons/configurable-models/model-record.server.ts';
import { saveConfiguratorItems } from '#addons/configurators/save-items.server.ts';
import { stageItems } from '#addons/configurators/stage-items.server.ts';
import { CLASSES } from './catalog.server.ts';
import type { CatalogItem } from './demo-catalog.server.ts';

export async function fillConfigurableBed(db: Db, users: Map<string, number>, items: CatalogItem[]): Promise<void> {
  const admin = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as fullName'])
    .where('id', '=', users.get('salesadmin') ?? 0)
    .executeTakeFirst();
  const beds = await db
    .selectFrom('item_class')
    .select('id')
    .where('name', '=', CLASSES.find(({ prefix }) => prefix === '88')?.name ?? '')
    .executeTakeFirst();
  if (admin) await saveModel(db, admin, null, ModelInput.parse({ ...aBed(items), classId: beds?.id ?? null }));
}

/** Two open quotes of the demo's sales rep. On one, a configuration was added and has changed since; on the other, one waits. */
export async function fillConfigurations(
  services: Services,
  db: Db,
  users: Map<string, number>,
  items: CatalogItem[],
): Promise<void> {
  const rep = await db
    .selectFrom('app_user')
    .select(['id', 'user_name as userName', 'full_name as fullName'])
    .where('id', '=', users.get('rep') ?? 0)
    .executeTakeFirst();
  if (!rep) return;
  const user: Caller = {
    ...rep,
    roles: ['salesrep'],
    sessionId: '',
    regionIds: [],
    supportedRepIds: [],
    deputyFor: [],
    mustChangePassword: false,
  };
  const context = { db, services, user };
  const quotes = await db
    .selectFrom('quote')
    .select(['id', 'version'])
    .where('sales_rep_id', '=', rep.id)
    .where('status_id', '=', 'Editing')
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  const [taken, waiting] = quotes;
  const leave = (quoteId: number, configId: string, parts: readonly Part[]) =>
    stageItems(context, {
      quoteId,
      configId,
      name: `Transport bed, ${configId}`,
      source: 'Call',
      items: parts.flatMap(({ position, family, qty = 1, optionText = '', itemNumber = numberOf(items, family) }) =>
        itemNumber === '' ? [] : [{ position, itemNumber, qty, optionText, description: '', unit: '', price: null }],
      ),
    });
  if (taken) {
    await leave(taken.id, 'bed-7', BED);
    const positions = BED.filter(({ family }) => numberOf(items, family) !== '').map(({ position }) => position);
    const wishes = positions.map((position) => ({ configId: 'bed-7', position, action: 'add' as const }));
    await saveConfiguratorItems(context, { quoteId: taken.id, version: taken.version, items: wishes, priceReason: '' });
    await leave(taken.id, 'bed-7', [
      ...BED.map((part) => (part.position === 'poles' ? { ...part, qty: 3 } : part)).filter(
        ({ position }) => position !== 'table',
      ),
      { position: 'monitor', family: 'Vital signs monitor' },
    ]);
  }
  if (waiting) {
    await leave(waiting.id, 'bed-8', [
      ...BED,
      { position: 'lamp', family: '', itemNumber: 'LAMP-7', optionText: 'Reading lamp' },
    ]);
  }
}

type Part = { position: string; family: string; qty?: number; optionText?: string; itemNumber?: string };

const BED: readonly Part[] = [
  { position: 'frame', family: 'Med-surg bed, electric', optionText: 'Oak frame' },
  { position: 'mattress', family: 'Foam overlay' },
  { position: 'poles', family: 'IV pole', qty: 2, optionText: 'Two hooks' },
  { position: 'table', family: 'Overbed table' },
];

/** The item number of the nth item of a family that is on sale. '' if a small demo has none. */
function numberOf(items: readonly CatalogItem[], family: string, nth = 0): string {
  const matches = items.filter((item) => item.familyName === family && item.active);
  return matches[nth % Math.max(matches.length, 1)]?.number ?? '';
}

type OptionGiven = {
  label: string;
  itemNumber?: string;
  unit?: string;
  quantity?: 'asked' | 'from';
  [field: string]: unknown;
};

function aBed(items: CatalogItem[]) {
  const item = (family: string, nth?: number) => numberOf(items, family, nth);
  const ids = new Map<string, number>();
  const idOf = (name: string) => {
    const id = ids.get(name) ?? -1 - ids.size;
    ids.set(name, id);
    return id;
  };
  const group = (
    name: string,
    limits: { min?: number; max?: number | null; hint?: string },
    options: OptionGiven[],
  ) => ({
    id: idOf(name),
    name,
    ...limits,
    options: options.map((option) => ({ ...option, id: idOf(`${name} ${option.label}`) })),
  });
  const exactlyOne = { min: 1, max: 1 };
  const sizes = ['36 in', '42 in', '48 in'];
  const groups = [
    group('Width', exactlyOne, [{ label: '36 in' }, { label: '42 in' }, { label: '48 in' }]),
    group('Mattress', { ...exactlyOne, hint: 'As wide as the bed.' }, [
      ...sizes.map((size, nth) => ({ label: `Foam, ${size}`, itemNumber: item('Foam overlay', nth) })),
      ...sizes.map((size, nth) => ({ label: `Low air loss, ${size}`, itemNumber: item('Low air loss mattress', nth) })),
    ]),
    group('Side rails', exactlyOne, [{ label: 'Half length' }, { label: 'Full length' }, { label: 'Without' }]),
    group(
      'Color',
      exactlyOne,
      ['Gray', 'White', 'Oak', 'Blue'].map((label) => ({ label })),
    ),
    group('Built in', { hint: 'Works in every width.' }, [
      { label: 'Scale' },
      { label: 'Nurse call' },
      { label: 'Bed exit alarm' },
      { label: 'Light under the bed' },
    ]),
    group(
      'Overbed table',
      { max: 1 },
      [0, 1, 2].map((nth) => ({
        label: ['Gray', 'White', 'Oak'][nth] ?? '',
        itemNumber: item('Overbed table', nth),
      })),
    ),
    group('IV poles', {}, [
      { label: 'Two hooks', itemNumber: item('IV pole'), quantity: 'asked', maxQty: 4 },
      { label: 'Four hooks', itemNumber: item('IV pole', 1), quantity: 'asked', maxQty: 4 },
    ]),
    group('Infusion sets', { hint: 'As many as there are poles.' }, [
      {
        label: 'Primary set',
        itemNumber: item('Primary IV set'),
        quantity: 'from',
        fromId: idOf('IV poles'),
        factor: 2,
      },
      {
        label: 'Extension set',
        itemNumber: item('Extension set'),
        quantity: 'from',
        fromId: idOf('IV poles'),
        factor: 4,
      },
    ]),
    group('Monitoring', { max: 4 }, [
      { label: 'Monitor, wired', itemNumber: item('Vital signs monitor') },
      { label: 'Monitor, wireless', itemNumber: item('Vital signs monitor', 1) },
      {
        label: 'Pulse oximeter sensor',
        itemNumber: item('Pulse oximeter sensor'),
        quantity: 'asked',
        qty: 2,
        maxQty: 24,
      },
      { label: 'Cuff, adult', itemNumber: item('Blood pressure cuff', 3) },
      { label: 'Cuff, large adult', itemNumber: item('Blood pressure cuff', 4) },
    ]),
    group('Respiratory', {}, [
      { label: 'Oxygen masks', itemNumber: item('Oxygen mask, adult'), quantity: 'asked', qty: 10 },
      { label: 'Nasal cannulas', itemNumber: item('Nasal cannula'), quantity: 'asked', qty: 10 },
      { label: 'Suction catheters', itemNumber: item('Suction catheter'), quantity: 'asked', qty: 10 },
      { label: 'Nebulizer kit', itemNumber: item('Nebulizer kit') },
    ]),
    group('First supplies', { max: 3, hint: 'For the first month.' }, [
      { label: 'Underpads', itemNumber: item('Underpad'), unit: 'CS' },
      { label: 'Briefs', itemNumber: item('Adult brief'), unit: 'CS' },
      { label: 'Gloves', itemNumber: item('Exam glove nitrile'), unit: 'BX', quantity: 'asked', qty: 10 },
      { label: 'Gauze', itemNumber: item('Gauze sponge, 12-ply, sterile'), unit: 'BX' },
    ]),
  ];
  const rule = (kind: 'needs' | 'excludes', option: string, ...others: string[]) => ({
    kind,
    optionId: idOf(option),
    otherIds: others.map(idOf),
  });
  const monitors = ['Monitoring Monitor, wired', 'Monitoring Monitor, wireless'];
  return {
    name: 'Ward bed',
    description: 'Electric bed for a ward, with mattress, rails and accessories',
    baseItemNumber: item('Med-surg bed, electric'),
    active: true,
    groups: groups.map((each) => ({
      ...each,
      // A small demo does not have all items. A choice without its item adds none.
      options: each.options.map((option) => (option.itemNumber ? option : { ...option, unit: '' })),
    })),
    rules: [
      ...sizes.map((size) => rule('needs', `Mattress Foam, ${size}`, `Width ${size}`)),
      ...sizes.map((size) => rule('needs', `Mattress Low air loss, ${size}`, `Width ${size}`)),
      rule('excludes', 'Side rails Full length', 'Width 48 in'),
      rule('needs', 'Built in Nurse call', 'Side rails Half length', 'Side rails Full length'),
      rule('needs', 'Built in Bed exit alarm', 'Built in Scale'),
      rule('excludes', 'Built in Light under the bed', ...sizes.map((size) => `Mattress Low air loss, ${size}`)),
      rule('excludes', 'Monitoring Monitor, wired', 'Monitoring Monitor, wireless'),
      rule('needs', 'Monitoring Pulse oximeter sensor', ...monitors),
      rule('needs', 'Monitoring Cuff, adult', ...monitors),
      rule('needs', 'Monitoring Cuff, large adult', ...monitors),
    ],
  };
}
