// Computes a contract's last day and displayed status in SQL, with the rules of contract-status.ts.
import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '#platform/shared/dates.ts';
import { type ContractStatus, EXPIRING_DAYS } from './contract-status.ts';

/** The last day on which the statement's `gpo_contract` is valid. */
export const LAST_DAY = sql<IsoDate>`least(coalesce(gpo_contract.extended_to, gpo_contract.effective_to), gpo_contract.terminated_on)`;

/** The first day of an active successor. */
export const SUCCESSOR_FROM = sql<IsoDate | null>`(select min(later.effective_from) from gpo_contract later
  where later.predecessor_id = gpo_contract.id and later.state = 'Active')`;

export function daysLeftOn(today: IsoDate): RawBuilder<number> {
  return sql<number>`(${LAST_DAY} - ${today}::date)`;
}

/** Returns the same status as `contractStatus`. */
export function statusOn(today: IsoDate): RawBuilder<ContractStatus> {
  return sql<ContractStatus>`case when gpo_contract.state <> 'Active' then gpo_contract.state
    when ${SUCCESSOR_FROM} <= ${today}::date then 'Superseded'
    when gpo_contract.effective_from > ${today}::date then 'Pending'
    when ${daysLeftOn(today)} < 0 then 'Expired'
    when ${daysLeftOn(today)} <= ${sql.lit(EXPIRING_DAYS)} then 'Expiring' else 'Active' end`;
}
