// Answers the FacilityAdmin calls.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { todayOf } from '#core/territories/territory-admin/territory-list.server.ts';
import type { Named } from '#platform/shared/wire.ts';
import { contactUse, removeContact, saveContact } from './contacts/facility-contacts.server.ts';
import type { FacilityAdmin, FacilityOverride } from './facility-admin.contract.ts';
import { endIdentifier, identifiersOf, saveIdentifier } from './identifiers/facility-identifiers.server.ts';
import { endMembership, gpos, membershipsOf, saveMembership } from './memberships/gpo-memberships.server.ts';
import { readFacility, readForEdit, saveFacility, switchFacility } from './record/facility-record.server.ts';

export const facilityAdminAnswers: Answers<typeof FacilityAdmin> = {
  GetFacilityRecord: async ({ db, services }, { id }) => {
    const { version, taxCertificate } = await readFacility(db, id);
    return {
      version,
      taxCertificate,
      memberships: await membershipsOf(db, id),
      identifiers: await identifiersOf(db, id),
      otherAccounts: await db
        .selectFrom('facility')
        .select(['acct_no as acctNo', 'name'])
        .where('merged_into', '=', id)
        .orderBy('acct_no')
        .execute(),
      overrides: await overridesOf(db, id),
      today: await todayOf(db, services),
    };
  },
  PopulateFacilityEditModel: ({ db }, { id }) => readForEdit(db, id),
  SaveFacility: saveFacility,
  InactiveOrActiveFacility: switchFacility,
  SaveFacilityContact: saveContact,
  GetContactUse: ({ db }, input) => contactUse(db, input),
  RemoveFacilityContact: removeContact,
  GetGpoSimpleData: ({ db }) => gpos(db),
  SaveGpoMembership: saveMembership,
  EndGpoMembership: endMembership,
  SaveFacilityIdentifier: saveIdentifier,
  EndFacilityIdentifier: endIdentifier,
};

/** All account overrides of a facility, latest first. The code in territory-admin saves them. */
function overridesOf(db: Db, facilityId: number): Promise<FacilityOverride[]> {
  return db
    .selectFrom('account_override as o')
    .innerJoin('territory', 'territory.id', 'o.territory_id')
    .select([
      'o.id',
      'territory.active as counts',
      'territory.version',
      'o.reason',
      'o.valid_from as from',
      'o.valid_to as to',
    ])
    .select(sql<Named>`json_build_object('id', territory.id, 'name', territory.name)`.as('territory'))
    .where('o.facility_id', '=', facilityId)
    .orderBy('o.valid_from', 'desc')
    .orderBy('o.id', 'desc')
    .execute();
}
