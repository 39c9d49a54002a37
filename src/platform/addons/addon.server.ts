// The server's part of an add-on, and which add-ons are switched off.
import { sql } from 'kysely';
import type { Contract } from '#platform/api/endpoint.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { type AnyJob, IDLE } from '#platform/jobs/jobs.server.ts';
import type { Addon } from './addon.ts';
import type { Door, Filling } from './door.ts';

type Group = { contract: Contract; answers: Answers<Contract> };
export type AddonServer = {
  addon: Addon;
  groups: readonly Group[];
  jobs: readonly AnyJob<Services>[];
  doors: readonly Filling[];
};

type Parts<C extends Record<string, Contract>> = {
  answers: { [K in keyof C]: Answers<C[K]> };
  jobs?: readonly AnyJob<Services>[];
  doors?: readonly Filling[];
};

/** How many seconds a job of a switched-off add-on waits before it checks again. */
const OFF_WAITS = 600;
const installed: Addon[] = [];

/** Combines the server's parts of an add-on. Every call needs an answer; a missing one is a type error. */
export function addonServer<C extends Record<string, Contract>>(addon: Addon<C>, parts: Parts<C>): AddonServer {
  const { answers, jobs = [], doors = [] } = parts;
  return {
    addon,
    groups: Object.entries(addon.calls).map(([group, contract]) => ({
      contract,
      answers: answers[group] as unknown as Answers<Contract>,
    })),
    jobs: jobs.map((job) => whileOn(addon.name, job)),
    doors,
  };
}

/** Installs these add-ons in the program and fills their doors, in this order. */
export function install(addons: readonly AddonServer[]): readonly AddonServer[] {
  for (const { addon, doors } of addons) {
    installed.push(addon);
    for (const filling of doors) filling.enter(addon.name);
  }
  return addons;
}

/** Every add-on of this program. */
export const installedAddons = (): readonly Addon[] => installed;

/** Returns the names of the add-ons that are off: those that are switched off, and those that need one of them. */
export async function switchedOff(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('switched_off_addon').select('name').execute();
  return withDependents(new Set(rows.map(({ name }) => name)));
}

/** Returns `off` plus the add-ons that need one of them. */
export function withDependents(off: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(off);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { name, needs = [] } of installed) if (needs.some((needed) => all.has(needed))) all.add(name);
  }
  return all;
}

/** Throws 404 while the add-on is off. */
export async function requireOn(db: Db, addon: string): Promise<void> {
  if ((await switchedOff(db)).has(addon)) throw new HttpError(404, 'This feature is switched off.');
}

/** SQL that is true unless this add-on is switched off. It ignores dependencies, so use it only for an add-on that needs no other. */
export const isOnValue = (addon: string) =>
  sql<boolean>`not exists (select from switched_off_addon where name = ${addon})`;

/** Returns the entries that enabled add-ons have put behind a door. */
export async function openEntries<T>(db: Db, door: Door<T>): Promise<T[]> {
  const entries = door.entries();
  if (entries.length === 0) return [];
  const off = await switchedOff(db);
  return entries.filter(({ addon }) => !off.has(addon)).map(({ entry }) => entry);
}

/** Makes a job do nothing while its add-on is off. A job that looks for work finds none; a queued job waits. */
function whileOn(addon: string, job: AnyJob<Services>): AnyJob<Services> {
  const isOff = async ({ database }: Services) => (await switchedOff(database.db)).has(addon);
  if ('payload' in job)
    return {
      ...job,
      run: async (services, payload) => {
        if (!(await isOff(services))) return job.run(services, payload);
        await services.jobs.send(services.database.db, job, payload, { inSeconds: OFF_WAITS });
        return IDLE;
      },
    };
  return {
    ...job,
    ...(job.due
      ? { due: async (services: Services) => !(await isOff(services)) && (await job.due?.(services)) === true }
      : {}),
    run: async (services: Services) => ((await isOff(services)) ? IDLE : job.run(services)),
  };
}
