// Implements the GpoApi calls: a contract with everything its page shows.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { audiencesOf } from '#core/prices/contracts/files/browse-files.server.ts';
import type { ContractHead, ContractTier } from '#core/prices/contracts/contracts.contract.ts';
import { linePage } from '#core/prices/contracts/lines/line-list.server.ts';
import { countQuotes } from '#core/prices/contracts/quotes/contract-quotes.server.ts';
import {
  contractHead,
  contractTiers,
  pricedTiers,
  type Reading,
} from '#core/prices/contracts/record/contract-head.server.ts';
import { keepsContracts, readsAllContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { facilityInSight, requireContract } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { openEntries } from '#platform/addons/addon.server.ts';
import { riskCount } from './doors.server.ts';
import type { ContractAction, ContractDetail, GpoApi } from './contract-page.contract.ts';

const PAGE_SIZE = 50;

export const gpoApiAnswers: Answers<typeof GpoApi> = {
  /** Throws 404 both for an unknown contract and for one that the user may not see. */
  getGpoContractDetailDataForApiCall: async (context, { id }) => {
    const { db, user } = context;
    const { day } = await requireContract(context, id);
    const reading = { db, user, day };
    const contract = await contractHead(reading, id);
    const tiers = await contractTiers(reading, id);
    const page = { contractId: id, page: 1, pageSize: PAGE_SIZE };
    const lines = await linePage(db, page, day, pricedTiers(user, tiers));
    return {
      contract,
      tiers,
      lines,
      counts: { lines: lines.total, ...(await countTabs(reading, id)) },
      documents: await documentsOf(reading, id),
      today: day,
      allowedActions: actionsOf(reading, contract, tiers),
    };
  },
};

/** Counts the parts of a contract that this user may see. */
async function countTabs({ db, user, day }: Reading, contractId: number) {
  const seen = (facilityId: string) => facilityInSight(user, day, sql.ref(facilityId));
  const { rows } = await sql<{ roster: number; letters: number; files: number }>`select
    (select count(distinct r.facility_id) from contract_roster r where r.contract_id = ${contractId} and not r.excluded
      and r.valid_from <= greatest((select effective_from from gpo_contract where id = ${contractId}), ${day}::date)
      and (r.valid_to is null or r.valid_to >= ${day}::date) and ${seen('r.facility_id')}) as roster,
    (select count(*) from contract_loc l where l.contract_id = ${contractId} and ${seen('l.facility_id')}) as letters,
    (select count(*) from contract_file f where f.contract_id = ${contractId}
      and f.audience = any(${audiencesOf(user)})) as files`.execute(db);
  const { quotes, more } = await countQuotes(db, user, contractId);
  let risks = 0;
  for (const count of await openEntries(db, riskCount)) risks += await count(db, user, contractId);
  return { ...(rows[0] ?? { roster: 0, letters: 0, files: 0 }), quotes, moreQuotes: more, risks };
}

/** The files that this user may read, each with its folder path. */
async function documentsOf({ db, user }: Reading, contractId: number): Promise<ContractDetail['documents']> {
  const { rows } = await sql<ContractDetail['documents'][number]>`
    select f.id, f.name, newest.size, f.updated_at as "updatedAt", coalesce((
      with recursive up as (
        select id, parent_id, name, 1 as steps from contract_folder where id = f.folder_id
        union all select c.id, c.parent_id, c.name, up.steps + 1 from contract_folder c join up on c.id = up.parent_id)
      select string_agg(up.name, ' / ' order by up.steps desc) from up), '') as folder
      from contract_file f
      join lateral (select file.size from contract_file_version v join file on file.id = v.file_id
        where v.contract_file_id = f.id order by v.version_no desc limit 1) newest on true
     where f.contract_id = ${contractId} and f.audience = any(${audiencesOf(user)})
     order by f.updated_at desc, f.id desc limit 100`.execute(db);
  return rows;
}

function actionsOf({ user }: Reading, { state }: ContractHead, tiers: readonly ContractTier[]): ContractAction[] {
  const keeps = keepsContracts(user);
  const reads = readsAllContracts(user);
  const may: Record<ContractAction, boolean> = {
    Edit: keeps,
    Activate: keeps && state === 'Draft' && tiers.length > 0,
    Terminate: keeps && state === 'Active',
    TakeTerminationBack: keeps && state === 'Terminated',
    ReadHistory: reads,
    PrintHotSheet: reads && state !== 'Draft',
  };
  return Object.entries(may).flatMap(([action, allowed]) => (allowed ? [action as ContractAction] : []));
}
