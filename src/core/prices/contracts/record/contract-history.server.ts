// Reads the history of a contract, its tiers and its lines.
import { sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { keepsContracts } from '../sight/contract-roles.ts';
import { FEE_LABEL } from './contract-record.server.ts';

type Part = 'contract' | 'contractTier' | 'contractLine';
type Page = { page: number; pageSize: number };

/** Newest first. Only people who keep contracts see changes of the administrative fee. */
export async function contractHistory(
  { db, user }: { db: Db; user: Caller },
  contractId: number,
  { page, pageSize }: Page,
) {
  const query = db
    .selectFrom('record_event')
    .select(['id', 'at', 'actor', 'action', 'comment', 'changes', 'record_name as name'])
    .select((eb) => eb.ref('record_type').$castTo<Part>().as('recordType'))
    .where(
      sql<boolean>`id in (
        select id from record_event where record_type = 'contract' and record_id = ${contractId}
        union all select e.id from contract_tier t join record_event e on e.record_type = 'contractTier' and e.record_id = t.id
          where t.contract_id = ${contractId}
        union all select e.id from contract_line l join record_event e on e.record_type = 'contractLine' and e.record_id = l.id
          where l.contract_id = ${contractId})`,
    );
  const order = { sorts: {}, key: sql`id`, first: { field: 'id', dir: 'desc' as const }, stopsCounting: true };
  const { records, ...counts } = await pageFrom(query, { page, pageSize }, order);
  const visible = (changes: FieldChange[]) =>
    keepsContracts(user) ? changes : changes.filter(({ field }) => field !== FEE_LABEL);
  return {
    records: records.map((event) => ({ ...event, changes: visible(event.changes as FieldChange[]) })),
    ...counts,
  };
}
