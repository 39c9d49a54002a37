// Mails the contract department when a user requests a tier of a contract, once for each request and without prices.
import { sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { isGpoTabHidden } from '#platform/auth/gpo-tab.server.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';

/**
 * Runs in the transaction that moves the request to Requested. Mails the active users of the contract department who have the GPO Contracts tab. If
 * there are none, mails the system administrators, who then decide. The user who made the request gets no mail.
 */
export async function mailDesk(db: Db, services: Services, asker: Caller, requestId: number): Promise<void> {
  const request = await requestInWords(db, requestId);
  for (const to of await readersFor(db, services, asker.id)) {
    await queueMail(db, services.jobs, {
      to: [to],
      subject: `Eligibility request for ${request.facility}: ${request.tier} of contract ${request.contract}`,
      body: [
        `${asker.fullName} requests ${request.tier} of contract ${request.contract} for ${request.facility} (${request.account}) from ${formatDate(request.wantedFrom)}.`,
        request.note,
        `${services.config.publicUrl}${paths.eligibilityRequest(requestId)}`,
      ]
        .filter(Boolean)
        .join('\n\n'),
    });
  }
}

async function requestInWords(db: Db, id: number) {
  return db
    .selectFrom('eligibility_request as r')
    .innerJoin('gpo_contract as c', 'c.id', 'r.contract_id')
    .innerJoin('contract_tier as t', 't.id', 'r.tier_id')
    .innerJoin('facility as f', 'f.id', 'r.facility_id')
    .select([
      'r.note',
      'r.wanted_from as wantedFrom',
      'c.number as contract',
      't.name as tier',
      'f.name as facility',
      'f.acct_no as account',
    ])
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow();
}

async function readersFor(db: Db, services: Services, askerId: number): Promise<string[]> {
  const { rows } = await sql<{ user_name: string; gpo_tab_hidden: boolean; department: boolean }>`
    select u.user_name, u.gpo_tab_hidden, bool_or(r.role = 'contractdept') as department
      from app_user u join user_role r on r.user_id = u.id
     where u.active and u.id <> ${askerId} and r.role in ('contractdept', 'systemadmin')
     group by u.id order by u.id`.execute(db);
  const able = rows.filter((row) => !isGpoTabHidden(services, row));
  const department = able.filter((row) => row.department);
  return (department.length > 0 ? department : able).map((row) => row.user_name);
}
