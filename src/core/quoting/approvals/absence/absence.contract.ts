// The API calls for the absences of approvers and their deputies (our own calls; docs/decisions/0019).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { APPROVER_ROLES } from '#platform/shared/roles.ts';
import { changesOverVersion, Id, Named, TypedDate, Version } from '#platform/shared/wire.ts';

export const AbsenceInput = z
  .object({
    /** 0 for a new absence. */
    id: Id.or(z.literal(0)).default(0),
    /** The user who is away. Only a system administrator may name another user. */
    userId: Id,
    deputyId: Id,
    /** The absence includes both days, in the company's time zone. */
    from: TypedDate,
    to: TypedDate,
    version: Version.optional(),
  })
  .check(changesOverVersion);

export const Absence = z.object({
  id: z.number().int(),
  userId: z.number().int(),
  name: z.string(),
  deputyId: z.number().int(),
  deputy: z.string(),
  from: z.string(),
  to: z.string(),
  version: z.number().int(),
});
export type Absence = z.infer<typeof Absence>;

export const ApprovalAbsences = {
  GetAbsences: post(
    '/api/ApprovalAbsences/GetAbsences',
    Nothing,
    z.object({
      /** Absences that are not over, ordered by first day. A system administrator gets all of them, other users their own. */
      absences: z.array(Absence),
      /** The users whose absences the caller may edit. */
      approvers: z.array(Named),
      /** The users who may be deputies: everyone who may read the internal board. */
      deputies: z.array(Named),
      today: z.string(),
    }),
    { access: APPROVER_ROLES },
  ),
  SaveAbsence: post('/api/ApprovalAbsences/SaveAbsence', AbsenceInput, Absence, {
    access: APPROVER_ROLES,
    writes: true,
    peopleOnly: true,
    summary: 'From the first to the last day, the deputy can decide everything that the absent user could decide.',
  }),
  RemoveAbsence: post(
    '/api/ApprovalAbsences/RemoveAbsence',
    z.object({ id: Id, version: Version }),
    z.object({ id: z.number().int() }),
    {
      access: APPROVER_ROLES,
      writes: true,
      peopleOnly: true,
      summary: 'Ends the absence: the deputy no longer decides.',
    },
  ),
};
