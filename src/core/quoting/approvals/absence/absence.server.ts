// Implements the ApprovalAbsences calls: who is away, and which deputy decides instead.
import { sql } from 'kysely';
import { invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { changesOf, lockForSave, oneRecord, type RecordKind, saveRecord } from '#platform/history/record-kit.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { APPROVER_ROLES, hasRole, INTERNAL_BOARD_ROLES, type Role } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { Absence, ApprovalAbsences } from './absence.contract.ts';

const LABELS: Partial<Record<keyof Absence, string>> = { name: 'Away', deputy: 'Deputy', from: 'From', to: 'To' };

const ABSENCE: RecordKind<Absence, 'approvalAbsence'> = {
  type: 'approvalAbsence',
  read: readAbsence,
  nameOf: ({ name }) => name,
  changes: changesOf(LABELS, historyWords),
};

export const approvalAbsencesAnswers: Answers<typeof ApprovalAbsences> = {
  GetAbsences: async ({ db, user, services }) => {
    const day = today(services, await loadCompany(db));
    const everybody = keepsAll(user);
    const absences = await absencesQuery(db)
      .where('absence.to_date', '>=', day)
      .$if(!everybody, (query) => query.where('absence.user_id', '=', user.id))
      .orderBy('absence.from_date')
      .orderBy('absence.id')
      .execute();
    return {
      absences,
      approvers: everybody ? await peopleWith(db, APPROVER_ROLES) : [{ id: user.id, name: user.fullName }],
      deputies: await peopleWith(db, INTERNAL_BOARD_ROLES),
      today: day,
    };
  },

  /** Throws 404 for another user's absence, 409 when another user has changed it, and 422 for users or days that are not allowed. */
  SaveAbsence: async ({ db, user, services }, input) => {
    const before = await lockForSave(db, ABSENCE, input);
    if (!keepsAll(user) && (input.userId !== user.id || (before && before.userId !== user.id))) {
      throw notFound('absence');
    }
    await requireFitting(db, services, input);
    const { userId, deputyId, from, to } = input;
    const values = { user_id: userId, deputy_id: deputyId, from_date: from, to_date: to };
    const saved = await saveRecord({ db, user }, ABSENCE, before, values);
    if (before?.deputyId !== deputyId || before.from !== from || before.to !== to)
      await mailDeputy(db, services, saved);
    forgetCallers(services);
    return saved;
  },

  RemoveAbsence: async ({ db, user, services }, { id, version }) => {
    const before = await readAbsence(db, id, 'lock');
    if (!keepsAll(user) && before.userId !== user.id) throw notFound('absence');
    await requireFresh(db, 'approvalAbsence', before, version);
    await db.deleteFrom('approval_absence').where('id', '=', id).execute();
    await recordChange(db, user, {
      type: 'approvalAbsence',
      id,
      name: before.name,
      action: 'Remove',
      changes: changesBetween(historyWords(before), {}, LABELS),
    });
    forgetCallers(services);
    return { id };
  },
};

function keepsAll(user: Pick<Caller, 'roles'>): boolean {
  return hasRole(user, 'systemadmin');
}

/** Locks the users that the absence names, so that two simultaneous saves cannot create overlapping absences. */
async function requireFitting(
  db: Db,
  services: Services,
  input: { id: number; userId: number; deputyId: number; from: string; to: string },
): Promise<void> {
  const { id, userId, deputyId, from, to } = input;
  await db
    .selectFrom('app_user')
    .select('id')
    .where('id', 'in', [userId, deputyId])
    .orderBy('id')
    .forUpdate()
    .execute();
  const day = today(services, await loadCompany(db));
  if (to < from) throw invalid([{ path: 'to', message: 'The last day cannot be before the first day.' }]);
  if (to < day) throw invalid([{ path: 'to', message: 'This absence has already ended.' }]);
  const approvers = await peopleWith(db, APPROVER_ROLES);
  const deputies = await peopleWith(db, INTERNAL_BOARD_ROLES);
  if (!approvers.some((approver) => approver.id === userId)) {
    throw invalid([{ path: 'userId', message: 'Choose an active user who can decide approvals.' }]);
  }
  if (userId === deputyId || !deputies.some((deputy) => deputy.id === deputyId)) {
    throw invalid([{ path: 'deputyId', message: 'Choose another active user who has access to the internal board.' }]);
  }
  const overlapping = await absencesQuery(db)
    .where((eb) => eb.or([eb('absence.user_id', 'in', [userId, deputyId]), eb('absence.deputy_id', '=', userId)]))
    .where('absence.id', '!=', id)
    .where('absence.from_date', '<=', to)
    .where('absence.to_date', '>=', from)
    .orderBy('absence.from_date')
    .execute();
  for (const other of overlapping) {
    const days = `from ${formatDate(other.from)} to ${formatDate(other.to)}`;
    if (other.userId === userId) {
      throw invalid([{ path: 'from', message: `${other.name} is already away ${days}. Change that absence instead.` }]);
    }
    if (other.deputyId === userId) {
      // A deputy cannot pass the decision on to another deputy, so nobody would decide.
      const message = `${other.deputy} decides for ${other.name} ${days}. Choose another deputy for that absence first.`;
      throw invalid([{ path: 'from', message }]);
    }
    throw invalid([{ path: 'deputyId', message: `${other.name} is also away ${days}. Choose someone else.` }]);
  }
}

async function mailDeputy(db: Db, services: Services, { name, deputyId, from, to }: Absence): Promise<void> {
  const deputy = await db.selectFrom('app_user').select('user_name').where('id', '=', deputyId).executeTakeFirst();
  if (!deputy) return;
  await queueMail(db, services.jobs, {
    to: [deputy.user_name],
    subject: `You decide approvals for ${name}`,
    body: `${name} is away from ${formatDate(from)} to ${formatDate(to)}. During that time, you decide the approvals waiting for ${name}. You can find them on your home screen.\n\n${services.config.publicUrl}`,
  });
}

function absencesQuery(db: Db) {
  return db
    .selectFrom('approval_absence as absence')
    .innerJoin('app_user as away', 'away.id', 'absence.user_id')
    .innerJoin('app_user as deputy', 'deputy.id', 'absence.deputy_id')
    .select([
      'absence.id',
      'absence.user_id as userId',
      'away.full_name as name',
      'absence.deputy_id as deputyId',
      'deputy.full_name as deputy',
      'absence.from_date as from',
      'absence.to_date as to',
      'absence.version',
    ]);
}

async function readAbsence(db: Db, id: number, lock?: 'lock'): Promise<Absence> {
  if (lock)
    await oneRecord('approvalAbsence', db.selectFrom('approval_absence').select('id').where('id', '=', id), lock);
  return oneRecord('approvalAbsence', absencesQuery(db).where('absence.id', '=', id));
}

/** Active users who hold one of these roles, ordered by name. */
function peopleWith(db: Db, roles: readonly Role[]): Promise<Named[]> {
  return db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .where('active', '=', true)
    .where(
      sql<boolean>`exists (select from user_role where user_id = app_user.id and role = any(${[...roles]}::text[]))`,
    )
    .orderBy('full_name')
    .orderBy('id')
    .execute();
}

function historyWords(absence: Absence): Absence {
  return { ...absence, from: formatDate(absence.from), to: formatDate(absence.to) };
}
