// Defines the calls that find who serves a ZIP or a facility on a day (specification section 7, Map and territory tool).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { TerritoryRole } from '#core/territories/territories/territory-roles.ts';
import { INTERNAL_ROLES, type Role } from '#platform/shared/roles.ts';
import { Id, Named, TypedDate } from '#platform/shared/wire.ts';

/** The roles that may use Find My Rep: internal users, and sales administrators, who need it to edit territories. */
export const READERS: readonly Role[] = [...INTERNAL_ROLES, 'salesadmin'];

/** Empty or omitted means today. */
const OnDate = TypedDate.or(z.literal('')).nullish();
const Zip5 = z
  .string()
  .trim()
  .regex(/^\d{5}(-?\d{4})?$/, 'Enter a 5-digit ZIP')
  .overwrite((zip) => zip.slice(0, 5));

export const RepSearch = z
  .object({ zip: Zip5.or(z.literal('')).nullish(), facilityId: Id.nullish(), date: OnDate })
  .refine(({ zip, facilityId }) => Boolean(zip) || Boolean(facilityId), {
    message: 'Enter a ZIP or choose a facility',
    path: ['zip'],
  });

const ContactPerson = z.object({ id: z.number().int(), name: z.string(), phone: z.string(), email: z.string() });
export type ContactPerson = z.infer<typeof ContactPerson>;

export const RepsFound = z.object({
  date: z.string(),
  zip: z.string(),
  /** The city of the ZIP, if known. */
  city: z.string(),
  state: z.string(),
  facility: Named.extend({ acctNo: z.string() }).nullable(),
  why: z.enum(['override', 'zip', 'none']),
  /** The reason of the account override. */
  reason: z.string(),
  /** The first and last day of the assignment. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  territory: Named.nullable(),
  region: Named.nullable(),
  /** At most one user for each role, in the order of the roles. */
  reps: z.array(ContactPerson.extend({ role: TerritoryRole, from: z.string(), to: z.string().nullable() })),
  /** The states to show on the map: that of the ZIP, then those with most ZIPs of the territory. */
  mapStates: z.array(z.string()),
  /** The users to call if the territory has no sales rep: the region's managers, or else the sales administrators. */
  call: z.array(ContactPerson.extend({ as: z.string() })),
});
export type RepsFound = z.infer<typeof RepsFound>;

export const NearestZip = z.object({ zip: z.string(), city: z.string(), state: z.string() });
export type NearestZip = z.infer<typeof NearestZip>;

export const TazApi = {
  searchRepsForWebQuote: post('/api/TazApi/searchRepsForWebQuote', RepSearch, RepsFound, {
    access: READERS,
    summary: 'Who serves a ZIP or a facility today or on another day, and why.',
  }),
  findNearestZip: post(
    '/api/TazApi/findNearestZip',
    z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }),
    NearestZip,
    { access: READERS, summary: 'The ZIP at a position, which is not stored.' },
  ),
};
