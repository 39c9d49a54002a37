// Tests configurable models over HTTP: versions and history, refused contradictions, copies, and deactivation.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ConfigurableModels, type ModelRecord } from './configurable-models.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  for (const number of ['CFG-BED', 'CFG-FOAM', 'CFG-AIR', 'CFG-RAIL']) {
    await anItem(server.db, { number, units: { EA: 1, CS: 4 } });
  }
});
afterAll(() => server.close());

type Refusal = { errors?: { path: string; message: string }[]; detail?: string };
type Input = Parameters<typeof save>[0];

const save = (input: object) => server.call(ConfigurableModels.SaveConfigurableModel, input as never, { as: admin });
const saved = async (input: Input): Promise<ModelRecord> => {
  const answer = await save(input);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const refused = async (input: Input) => {
  const answer = await save(input);
  expect(answer.status).toBe(422);
  return (answer.body as Refusal).errors?.map(({ path, message }) => `${path}: ${message}`);
};

/** A bed with a choice of two mattresses, and rails. All its parts are new. */
const aBed = (overrides: object = {}) => ({
  name: 'Test bed',
  baseItemNumber: 'cfg-bed',
  groups: [
    {
      id: -1,
      name: 'Mattress',
      min: 1,
      max: 1,
      options: [
        { id: -2, label: 'Foam', itemNumber: 'CFG-FOAM' },
        { id: -3, label: 'Air', itemNumber: 'CFG-AIR', unit: 'cs' },
      ],
    },
    {
      id: -4,
      name: 'Rails',
      options: [
        { id: -5, label: 'Rail', itemNumber: 'CFG-RAIL', quantity: 'asked', qty: 2, maxQty: 4 },
        { id: -6, label: 'Cover', quantity: 'from', fromId: -5, factor: 2 },
        { id: -7, label: 'Spare mattress', quantity: 'from', fromId: -1 },
      ],
    },
  ],
  rules: [{ kind: 'excludes', optionId: -2, otherIds: [-5] }],
  ...overrides,
});

it('a model is made with its parts, changed, listed and exported; the history records it', async () => {
  const beds = await anItemClass(server.db, { name: 'Beds to configure' });
  const created = await saved(aBed({ classId: beds.id }));
  const [mattress, rails] = created.groups;
  expect(created).toMatchObject({ baseItemNumber: 'CFG-BED', baseUnit: 'EA', active: false, version: 1 });
  expect(mattress?.options).toMatchObject([
    { label: 'Foam', unit: 'EA', units: ['EA', 'CS'], problem: '' },
    { label: 'Air', unit: 'CS' },
  ]);
  const [foam, air] = mattress?.options ?? [];
  const [rail, cover, spare] = rails?.options ?? [];
  expect(cover?.fromId).toBe(rail?.id);
  expect(spare?.fromId).toBe(mattress?.id);
  expect(created.rules).toEqual([{ kind: 'excludes', optionId: foam?.id, otherIds: [rail?.id] }]);

  // The change moves Air to the other group, removes Foam and its rule, and adds a lamp.
  const changed = await saved({
    ...created,
    groups: [
      { ...rails, options: [...(rails?.options ?? []), air] },
      { ...mattress, min: 0, options: [{ id: -1, label: 'Lamp' }] },
    ],
    rules: [{ kind: 'needs', optionId: -1, otherIds: [air?.id] }],
  });
  expect(changed.version).toBe(2);
  expect(changed.groups.map(({ id }) => id)).toEqual([rails?.id, mattress?.id]);
  expect(changed.groups[0]?.options.map(({ id }) => id)).toEqual([rail?.id, cover?.id, spare?.id, air?.id]);
  const lamp = changed.groups[1]?.options[0];
  expect(lamp?.id).toBeGreaterThan(Math.max(...created.groups.flatMap(({ options }) => options.map(({ id }) => id))));
  expect(changed.rules).toEqual([{ kind: 'needs', optionId: lamp?.id, otherIds: [air?.id] }]);
  // A save without a change keeps the version.
  expect((await saved(changed)).version).toBe(2);

  const history = await server.ok(History.GetHistory, { type: 'configurableModel', id: created.id }, { as: admin });
  expect(history).toMatchObject([
    {
      action: 'Edit',
      changes: [
        {
          field: 'Groups and options',
          before: 'Mattress (choose one); Mattress: Foam, CFG-FOAM, 1 EA; Mattress: Air, CFG-AIR, 1 CS',
          after: 'Rails: Air, CFG-AIR, 1 CS; Mattress (choose one or none); Mattress: Lamp, 1',
        },
        { field: 'Rules', before: 'Foam cannot be combined with Rail', after: 'Lamp needs Air' },
      ],
    },
    { action: 'Create', actor: 'Ada Admin', comment: '5 options, 1 rule' },
  ]);
  const result = await server.ok(ConfigurableModels.SearchConfigurableModels, { keyword: 'test bed' }, { as: admin });
  expect(result).toMatchObject({
    total: 1,
    records: [{ className: 'Beds to configure', options: 5, rules: 1, configurations: 0 }],
  });
  const csv = await server.call(ConfigurableModels.ExportConfigurableModels, { keyword: 'test bed' }, { as: admin });
  expect(csv.bytes.toString('utf8')).toContain('Test bed,,Beds to configure,CFG-BED,no,5,1,0,');
});

it('refuses a model that contradicts itself, with the field of each fault', async () => {
  const options = [
    { id: -2, label: 'A', itemNumber: 'NO-SUCH' },
    { id: -3, label: 'B', itemNumber: 'CFG-AIR', unit: 'TON' },
  ];
  expect(await refused(aBed({ name: 'Wrong', groups: [{ id: -1, name: 'G', options }], rules: [] }))).toEqual([
    'groups.0.options.0.itemNumber: Item NO-SUCH does not exist.',
    'groups.0.options.1.unit: CFG-AIR is not sold by TON. Its units: EA, CS.',
  ]);
  const circle = [
    { id: -2, label: 'A', quantity: 'from', fromId: -3 },
    { id: -3, label: 'B', quantity: 'from', fromId: -2 },
  ];
  const rules = [{ kind: 'needs', optionId: -2, otherIds: [-99] }];
  expect(await refused(aBed({ name: 'Wrong', groups: [{ id: -1, name: 'G', options: circle }], rules }))).toEqual([
    'groups.0.options.0.fromId: These quantities depend on each other: A → B → A.',
    'rules.0.otherIds: This rule refers to an option that does not exist.',
  ]);
  expect(await refused(aBed({ name: 'Wrong', classId: 999_999 }))).toEqual([
    'classId: This item class does not exist.',
  ]);
  expect(await refused(aBed({ name: 'TEST BED' }))).toEqual([
    'name: A configurable model named TEST BED already exists.',
  ]);
  await anItem(server.db, { number: 'CFG-GONE', status: 'Discontinued' });
  expect(await refused(aBed({ name: 'Wrong', baseItemNumber: 'CFG-GONE' }))).toEqual([
    'baseItemNumber: CFG-GONE is discontinued and cannot be added.',
  ]);
  // A model cannot use the parts of another model.
  const other = await saved(aBed({ name: 'Other bed' }));
  const foreign = await refused(aBed({ name: 'Wrong', groups: other.groups, rules: [] }));
  expect(foreign).toContain('groups.0.id: This group does not belong to this model.');
  expect(foreign).toContain('groups.0.options.0.id: This option does not belong to this model.');
  const same = await refused(
    aBed({ name: 'Wrong', groups: [{ id: -1, name: 'G', options: [{ id: -1, label: 'A' }] }], rules: [] }),
  );
  expect(same).toEqual(['groups: Two groups or options have the same id.']);
});

it('enforces its limits, and refuses in words what exceeds them', async () => {
  const many = [...Array(501).keys()].map((index) => ({ id: -2 - index, label: `O${index}` }));
  const over = (groups: object) => refused(aBed({ name: 'Large', groups, rules: [] }));
  expect(
    await over([
      { id: -1, name: 'G', options: many.slice(0, 300) },
      { id: -900, name: 'H', options: many.slice(300) },
    ]),
  ).toEqual(['groups: A model can have at most 500 options.']);
  const large = await saved(
    aBed({
      name: 'Large',
      groups: [{ id: -1, name: 'G', options: many.slice(0, 500) }],
      rules: many.slice(1, 400).map(({ id }) => ({ kind: 'needs', optionId: id, otherIds: [id + 1] })),
    }),
  );
  const read = await server.ok(ConfigurableModels.GetConfigurableModel, { id: large.id }, { as: admin });
  expect(read.model.groups[0]?.options).toHaveLength(500);
  expect(await over([{ id: 0, name: 'G', options: many.slice(0, 1) }])).toEqual([
    'groups.0.id: Use ids below 0 for new groups and options.',
  ]);
  expect(await over([{ id: -1, name: 'G', options: [] }])).toEqual([
    'groups.0.options: Add at least one option to the group.',
  ]);
});

it('refuses a stale version and says who changed what; a new model needs no version', async () => {
  const created = await saved(aBed({ name: 'Stale bed' }));
  const eve = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Eve Else' });
  await server.ok(ConfigurableModels.SaveConfigurableModel, { ...created, description: 'Of Eve' }, { as: eve });
  const late = await save({ ...created, description: 'Late' });
  expect(late).toMatchObject({
    status: 409,
    body: { conflict: { changedBy: 'Eve Else', current: { description: 'Of Eve' } } },
  });
  const { version: _version, ...without } = created;
  expect((await save(without)).status).toBe(422);
  const off = await server.call(
    ConfigurableModels.SwitchConfigurableModel,
    { id: created.id, version: 1 },
    { as: admin },
  );
  expect(off.status).toBe(409);
});

it('a save without a field leaves it as it was', async () => {
  const beds = await anItemClass(server.db, { name: 'Beds to keep' });
  const created = await saved(
    aBed({ name: 'Kept bed', description: 'Words', classId: beds.id, baseUnit: 'CS', active: true }),
  );
  const { id, version, groups } = created;
  const renamed = await saved({ id, version, name: 'Kept bed, renamed', groups });
  expect(renamed).toEqual({ ...created, name: 'Kept bed, renamed', version: 2 });
  const without = await saved({ id, version: 2, name: renamed.name, groups, classId: null });
  expect(without).toMatchObject({ classId: null, baseItemNumber: 'CFG-BED', baseUnit: 'CS', active: true });
});

it('a copy has its own parts, even for items that no longer exist; the history records switching on and off', async () => {
  const item = await anItem(server.db, { number: 'CFG-SOON' });
  const created = await saved(
    aBed({
      name: 'Copied bed',
      groups: [{ id: -1, name: 'G', options: [{ id: -2, label: 'A', itemNumber: 'CFG-SOON' }] }],
      rules: [],
    }),
  );
  await server.db.updateTable('item').set({ status: 'Discontinued' }).where('id', '=', item.id).execute();
  const copy = await server.ok(ConfigurableModels.CopyConfigurableModel, { id: created.id }, { as: admin });
  expect(copy).toMatchObject({ name: 'Copy of Copied bed', active: false, version: 1 });
  expect(copy.groups[0]?.options[0]).toMatchObject({
    label: 'A',
    problem: 'CFG-SOON is discontinued and cannot be added.',
  });
  expect(copy.groups[0]?.options[0]?.id).not.toBe(created.groups[0]?.options[0]?.id);
  const again = await server.ok(ConfigurableModels.CopyConfigurableModel, { id: created.id }, { as: admin });
  expect(again.name).toBe('Copy of Copied bed (2)');

  const on = await server.ok(ConfigurableModels.SwitchConfigurableModel, { id: copy.id, version: 1 }, { as: admin });
  expect(on).toEqual({ id: copy.id, active: true, version: 2 });
  const history = await server.ok(History.GetHistory, { type: 'configurableModel', id: copy.id }, { as: admin });
  expect(history[0]).toMatchObject({ action: 'Activate' });
});

it('only administrators edit models; an unknown model answers 404', async () => {
  const rep = await aUser(server.db);
  const forbidden = await server.call(ConfigurableModels.SearchConfigurableModels, {}, { as: rep });
  expect(forbidden.status).toBe(403);
  for (const call of [ConfigurableModels.GetConfigurableModel, ConfigurableModels.CopyConfigurableModel]) {
    expect((await server.call(call, { id: 999_999 }, { as: admin })).status).toBe(404);
  }
  expect(await server.ok(ConfigurableModels.GetConfigurableModel, {}, { as: admin })).toMatchObject({
    model: { id: 0, groups: [], rules: [] },
  });
});
