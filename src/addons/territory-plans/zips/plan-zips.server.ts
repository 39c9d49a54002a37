// Answers the PlanZips call.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import { readZips } from '#core/territories/territories/typed-zips.ts';
import { requireMapTool } from '#core/territories/territories/plan-sight.server.ts';
import { areaZips } from '../record/area-zips.server.ts';
import type { FoundZip, PlanZips } from './plan-zips.contract.ts';

export const planZipAnswers: Answers<typeof PlanZips> = {
  /** Throws 403 for sales support outside the internal site. */
  findZipsToPlan: async ({ db, user, services }, { text, state, territoryId, date }) => {
    requireMapTool({ user, services });
    const { found, bad } = readZips(text ?? '');
    const wanted = text
      ? sql`zip5 = any(${found}::text[])`
      : state
        ? sql`zip.state = ${state}`
        : sql`live.territory_id = ${territoryId}`;
    // A plan can move a ZIP that is assigned or has an area, even if it is not in the list of ZIPs.
    const { rows } = await sql<FoundZip>`
      select zip5 as zip, coalesce(zip.city, '') as city, coalesce(zip.state, '') as state, coalesce(zip.county, '') as county,
             case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as territory
        from zip full join (${assignedZips({ date })}) live using (zip5) left join territory t on t.id = live.territory_id
       where ${wanted} order by zip5`.execute(db);
    const known = new Set(rows.map(({ zip }) => zip));
    const others = found.filter((zip) => !known.has(zip));
    const areas = others.length > 0 ? await areaZips(db) : new Set();
    const unlisted = others.filter((zip) => areas.has(zip));
    const zips = [
      ...rows,
      ...unlisted.map((zip): FoundZip => ({ zip, city: '', state: '', county: '', territory: null })),
    ];
    return {
      zips: unlisted.length > 0 ? zips.toSorted((a, b) => (a.zip < b.zip ? -1 : 1)) : zips,
      unknown: others.filter((zip) => !areas.has(zip)),
      bad,
    };
  },
};
