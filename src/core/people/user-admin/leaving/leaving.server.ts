// Deactivates or reactivates a user. A leaving user hands over their duties, and their access ends within a minute.
import { sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { voidInvitation } from '#platform/auth/invitations/invitation.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import { revokeSessionsOf } from '#platform/auth/sessions/session.server.ts';
import { readUser, setActive, type UserRecord, reasonToKeepAdministrator } from '#platform/users/user-record.server.ts';
import { handOverQuotes, openQuotesOf } from '#core/quoting/quotes/handing-over/hand-over-quotes.server.ts';
import { handOverTerritories, territoriesHeld } from '#core/territories/territories/hand-over-territories.server.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { DUTIES, type Duty, type Holdings } from '../user-admin.contract.ts';
import { dutiesInWords, DUTY_LABELS, DUTY_ROLES, rolesInWords } from './duties.ts';

type Context = { db: Db; services: Services; user: Caller };
type Person = { id: number; fullName: string; userName: string };
type Successors = Partial<Record<Duty, Person>>;

/** Returns what deactivating this user would affect. */
export async function holdingsOf(db: Db, services: Services, userId: number): Promise<Holdings> {
  const quotes = await openQuotesOf(db, userId);
  const day = today(services, await loadCompany(db));
  const territories = await territoriesHeld(db, userId, day);
  const duties = DUTIES.map((duty) => ({
    duty,
    openQuotes: duty === 'manager' ? 0 : quotes[duty],
    territories: [
      ...new Map(
        territories.filter(({ role }) => role === duty).map(({ territoryId, name }) => [territoryId, name]),
      ).entries(),
    ].map(([id, name]) => ({ id, name })),
  }));
  const { rows } = await sql<Omit<Holdings, 'duties' | 'openQuotes'>>`
    select ${namedList(sql`select u.id, u.full_name as name from user_support s join app_user u on u.id = s.rep_id and u.active
             where s.support_id = ${userId}`)} as supports,
           ${namedList(sql`select u.id, u.full_name as name from user_support s join app_user u on u.id = s.support_id and u.active
             where s.rep_id = ${userId}`)} as "supportedBy",
           (select count(*) from approval_request where state = 'Pending' and requested_by = ${userId}) as "pendingApprovals",
           ${namedList(sql`select r.id, r.name from user_region m join region r on r.id = m.region_id and r.active
             where m.user_id = ${userId} and not exists (select from user_region o join app_user u on u.id = o.user_id and u.active
               where o.region_id = r.id and o.user_id <> ${userId})`)} as "regionsWithoutManager",
           ${namedList(sql`select k.id, k.name from api_key k where k.owner_id = ${userId} and k.revoked_at is null
             and (k.expires_on is null or k.expires_on >= ${day})`)} as "apiKeys",
           (select count(*)::int from sent_report where owner_id = ${userId}) as "sentReports"`.execute(db);
  const [more] = rows;
  if (!more) throw new Error('a select without from answers one row');
  return {
    duties: duties.filter((duty) => duty.openQuotes > 0 || duty.territories.length > 0),
    openQuotes: quotes.all,
    ...more,
  };
}

/**
 * Activates a user, or hands over their duties and deactivates them. Throws 409 if another administrator has changed the user, for the caller's own
 * account and for the last system administrator, and 422 if a successor is missing or cannot take over.
 */
export async function changeActive(
  context: Context,
  input: {
    id: number;
    active: boolean;
    version: number;
    handOver: Partial<Record<Duty, number | null | undefined>>;
  },
): Promise<{ id: number; active: boolean; version: number }> {
  const { db, services, user: actor } = context;
  const { id, active } = input;
  const chosen = Object.values(input.handOver).filter((candidate) => typeof candidate === 'number');
  // Locks all of them in a fixed order, so that a successor cannot be deactivated at the same time.
  await db
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', (eb) => eb.fn.any(eb.val([id, ...chosen])))
    .orderBy('id')
    .forUpdate()
    .execute();
  const user = await readUser(db, id, 'lock');
  if (user.active === active) return { id, active, version: user.version };
  await requireFresh(db, 'user', user, input.version);

  let comment = '';
  if (!active) {
    if (id === actor.id || user.roles.includes('systemadmin')) {
      const why = await reasonToKeepAdministrator(db, actor, user);
      if (why) throw new HttpError(409, why);
    }
    comment = await handOver(context, user, input.handOver);
    await voidInvitation(db, id);
    await revokeSessionsOf(db, services, id);
  }
  const version = await setActive(db, id, active);
  const action = active ? 'Activate' : 'Deactivate';
  await recordChange(db, actor, { type: 'user', id, name: user.fullName, action, version, comment });
  forgetCallers(services);
  return { id, active, version };
}

/** Hands everything over and returns in words who took over what. */
async function handOver(
  { db, services, user: actor }: Context,
  leaving: UserRecord,
  input: Partial<Record<Duty, number | null | undefined>>,
): Promise<string> {
  const { duties } = await holdingsOf(db, services, leaving.id);
  const successors: Successors = {};
  const errors: { path: string; message: string }[] = [];
  for (const holding of duties) {
    const { duty } = holding;
    const path = `handOver.${duty}`;
    const toId = input[duty];
    if (!toId) {
      const message = `Choose who takes over from ${leaving.fullName} as ${DUTY_LABELS[duty]} of ${dutiesInWords(holding)}.`;
      errors.push({ path, message });
      continue;
    }
    const successor = await fitting(db, leaving.id, toId, duty);
    if (successor) successors[duty] = successor;
    else errors.push({ path, message: `Choose another active user with the role ${rolesInWords(DUTY_ROLES[duty])}.` });
  }
  if (errors.length > 0) throw invalid(errors);
  if (duties.length === 0) return '';

  await handOverQuotes(db, services, actor, leaving, successors);
  await handOverTerritories(db, actor, leaving, successors, today(services, await loadCompany(db)));
  const handovers = duties.map((holding) => ({
    to: successors[holding.duty],
    words: `${DUTY_LABELS[holding.duty]} of ${dutiesInWords(holding)}`,
  }));
  const receivers = new Map(Object.values(successors).map((person) => [person.id, person]));
  for (const receiver of receivers.values()) {
    const lines = handovers.filter(({ to }) => to?.id === receiver.id).map(({ words }) => `- ${words}`);
    await queueMail(db, services.jobs, {
      to: [receiver.userName],
      subject: `You take over from ${leaving.fullName}`,
      body: `${actor.fullName} deactivated the account of ${leaving.fullName}. From now on you are:\n\n${lines.join('\n')}\n\n${services.config.publicUrl}`,
    });
  }
  return `Handed over: ${handovers.map(({ to, words }) => `${words} to ${to?.fullName}`).join('; ')}.`;
}

/** Returns the successor, if active, a different user, and in a suitable role. */
async function fitting(db: Db, leavingId: number, id: number, duty: Duty): Promise<Person | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'full_name as fullName', 'user_name as userName'])
    .select(sql<string[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'))
    .where('id', '=', id)
    .where('id', '!=', leavingId)
    .where('active', '=', true)
    .executeTakeFirst();
  return row && hasRole({ roles: knownRoles(row.roles) }, ...DUTY_ROLES[duty]) ? row : null;
}

const namedList = (rows: ReturnType<typeof sql>) =>
  sql<
    Named[]
  >`(select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by n.name), '[]') from (${rows}) n)`;
