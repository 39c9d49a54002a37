// Answers the Features calls.
import { notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { installedAddons, switchedOff, withDependents } from '#platform/addons/addon.server.ts';
import type { Feature, Features } from './features.contract.ts';

export const featureAnswers: Answers<typeof Features> = {
  GetFeatures: ({ db }) => readFeatures(db),

  /** Throws 404 for an unknown feature. A feature that is already in this state is not changed. */
  SwitchFeature: async ({ db, services, user }, { name, on }) => {
    const addon = installedAddons().find((installedAddon) => installedAddon.name === name);
    if (!addon) throw notFound('feature');
    const isChanged = on
      ? (await db.deleteFrom('switched_off_addon').where('name', '=', name).returning('name').execute()).length > 0
      : (
          await db
            .insertInto('switched_off_addon')
            .values({ name, at: services.clock.now() })
            .onConflict((conflict) => conflict.doNothing())
            .returning('name')
            .execute()
        ).length > 0;
    if (isChanged)
      await recordChange(db, user, {
        type: 'feature',
        id: 1,
        name: 'Features',
        action: 'Edit',
        changes: [{ field: addon.title, before: on ? 'Off' : 'On', after: on ? 'On' : 'Off' }],
      });
    return readFeatures(db);
  },
};

async function readFeatures(db: Db): Promise<{ features: Feature[]; off: string[] }> {
  const off = await switchedOff(db);
  const addons = installedAddons();
  const titleOf = (name: string) => addons.find((addon) => addon.name === name)?.title ?? name;
  const features = addons.map(({ name, title, purpose, whileOff = '', needs = [] }): Feature => {
    const missing = needs.find((needed) => off.has(needed));
    return {
      name,
      title,
      purpose,
      whileOff,
      on: !off.has(name),
      missing: missing === undefined ? null : titleOf(missing),
      dependents: [...withDependents(new Set([name]))].filter((withDependent) => withDependent !== name).map(titleOf),
    };
  });
  return { features: features.toSorted((a, b) => a.title.localeCompare(b.title)), off: [...off] };
}
