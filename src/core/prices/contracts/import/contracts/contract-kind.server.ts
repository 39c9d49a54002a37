// Imports contracts and their tiers, and undoes such imports. Contracts match by number, tiers by number within their contract.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';
import type { ImportKindServer, Track } from '#platform/data-import/kinds/import-kind.server.ts';
import { alikeNumbers } from '#core/company/import-kinds/find-item.server.ts';
import { moveRefusals, sentencesOf } from '#platform/data-import/running/merge-rows.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { IMPORTS_CONTRACTS } from '../contract-undo.server.ts';
import { listOf } from '../import-figures.server.ts';
import { dayText } from '../stage-sql.server.ts';
import { wouldGet } from '../prices-reached.server.ts';
import { planContracts } from './contract-plan.server.ts';
import { contractRows } from './contract-columns.server.ts';

const tracks: readonly Track[] = [
  {
    table: 'gpo',
    key: { id: 'int' },
    scope: sql`t.name in (select gpo from contract_head)`,
    name: sql`t.name`,
    many: 'GPOs',
  },
  {
    table: 'gpo_contract',
    key: { id: 'int' },
    scope: sql`t.number in (select contract from contract_head)`,
    name: sql`t.number`,
    many: 'contracts',
    versioned: true,
    history: {
      type: 'contract',
      labels: {
        title: 'Title',
        category: 'Category',
        award_type: 'Award',
        effective_from: 'From',
        effective_to: 'To',
        extended_to: 'Extended to',
        open_to: 'Open to',
        state: 'State',
      },
    },
  },
  {
    table: 'contract_tier',
    key: { id: 'int' },
    scope: sql`t.contract_id in (select c.id from contract_head h join gpo_contract c on c.number = h.contract)`,
    name: sql`(select c.number || ', tier ' || t.tier_no from gpo_contract c where c.id = t.contract_id)`,
    many: 'tiers',
    versioned: true,
  },
];

export const contractKind: ImportKindServer = {
  kind: 'contracts',
  label: 'Contracts',
  hint: 'Contracts by number: GPO, title, category, award, days, predecessor, and one tier a row. New contracts are drafts unless the file says Active.',
  roles: IMPORTS_CONTRACTS,
  rows: contractRows,
  asks: [
    {
      name: 'createGpos',
      label: 'Create missing GPOs',
      hint: 'Otherwise rows with an unknown GPO are refused.',
      type: 'tick',
      standard: false,
    },
  ],
  tracks,
  compare: async (trx, run) => {
    await planContracts(trx, run);
    const report = await kindReport(trx);
    await moveRefusals(trx, run.headingOf);
    return report;
  },
  write,
  conclude: (trx, today) =>
    wouldGet(trx, today, {
      contracts: sql`select c.id from gpo_contract c join contract_head h on h.contract = c.number`,
    }),
};

const ALIKE_CONTRACTS = alikeNumbers({
  singular: 'contract',
  plural: 'contracts',
  column: 'number',
  stored: sql`gpo_contract`,
  rows: sql`(select contract as number, first_line as line, outcome from contract_head)`,
});

async function kindReport(trx: Db): Promise<KindReport> {
  const { rows } = await sql<{ what: string; n: number }>`
    select 'c' || outcome as what, count(*)::int as n from contract_head group by 1
    union all select 't' || outcome, count(*)::int from contract_step group by 1
    union all select 'gpos', count(distinct gpo)::int from contract_head h
    where gpo is not null and not exists (select from gpo g where g.name = h.gpo)
    union all select 'drafts', count(*)::int from contract_head where outcome = 'new' and state = 'Draft'
    union all select 'local', count(*)::int from contract_head where outcome = 'new' and gpo is null`.execute(trx);
  const countIn = (what: string): number => rows.find((row) => row.what === what)?.n ?? 0;
  const contracts = (title: string, outcome: string) =>
    listOf(
      trx,
      title,
      ['Line', 'Contract', 'What it is'],
      sql`select h.first_line::text, h.contract,
        concat_ws(', ', h.title, coalesce(h.gpo, 'local agreement'),
          ${dayText(sql`h.effective_from`)} || ' to ' || ${dayText(sql`coalesce(h.extended_to, h.effective_to)`)}, h.state)
       from contract_head h where h.outcome = ${outcome} order by h.first_line`,
    );
  return {
    writes: countIn('cnew') + countIn('cchanged') + countIn('tnew') + countIn('tchanged'),
    figures: [
      { label: 'New', count: countIn('cnew'), tone: 'good', note: 'Contracts.' },
      { label: 'Changed', count: countIn('cchanged'), tone: 'change', note: 'Contracts whose own columns change.' },
      { label: 'Same', count: countIn('csame'), note: 'Contracts whose own columns stay.' },
      { label: 'New tiers', count: countIn('tnew'), tone: 'good' },
      { label: 'Changed tiers', count: countIn('tchanged'), tone: 'change' },
      ...(countIn('gpos') > 0 ? [{ label: 'New GPOs', count: countIn('gpos'), tone: 'good' as const }] : []),
    ],
    lists: [
      await contracts('New', 'new'),
      await contracts('Changed', 'changed'),
      await listOf(
        trx,
        'Tiers',
        ['Contract', 'Tier', 'What it is'],
        sql`select h.contract, s.tier_no || ' ' || s.tier_name,
          concat_ws(', ', nullif(s.requirement, ''), case when s.needs_loc then 'needs a letter of commitment' end,
            'falls back to tier ' || s.fallback_no)
         from contract_step s join contract_head h on h.key = s.key where s.outcome <> 'same' order by h.first_line, s.tier_no`,
      ),
    ].filter(({ total }) => total > 0),
    notes: [
      ...(await sentencesOf(trx, ALIKE_CONTRACTS)),
      ...(countIn('drafts') > 0
        ? [
            `${countOf(countIn('drafts'), 'new contract is a draft', 'new contracts are drafts')}: no one has its prices before it is activated.`.replace(
              /^(?!1 )(.*)its prices before it is/,
              '$1their prices before they are',
            ),
          ]
        : []),
      ...(countIn('local') > 0
        ? [
            `${countOf(countIn('local'), 'new contract has', 'new contracts have')} no GPO: a local agreement of the facilities on its roster.`,
          ]
        : []),
    ],
  };
}

async function write(trx: Db): Promise<void> {
  await sql`insert into gpo (name) select distinct h.gpo from contract_head h
    where h.gpo is not null and not exists (select from gpo g where g.name = h.gpo) order by 1`.execute(trx);
  await sql`insert into gpo_contract (number, gpo_id, title, category, award_type, currn_idx, effective_from,
    effective_to, extended_to, open_to, state)
    select h.contract, g.id, h.title, h.category, h.award_type, h.currn_idx, h.effective_from, h.effective_to,
      h.extended_to, h.open_to, h.state
    from contract_head h left join gpo g on g.name = h.gpo where h.outcome = 'new' order by h.first_line`.execute(trx);
  await sql`update gpo_contract c set gpo_id = coalesce(g.id, c.gpo_id), title = h.title, category = h.category,
      award_type = h.award_type, currn_idx = h.currn_idx, effective_from = h.effective_from,
      effective_to = h.effective_to, extended_to = h.extended_to, open_to = h.open_to, state = h.state, version = c.version + 1
    from contract_head h left join gpo g on g.name = h.gpo where h.outcome = 'changed' and h.id = c.id`.execute(trx);
  await sql`update gpo_contract c set predecessor_id = p.id
    from contract_head h join gpo_contract p on p.number = h.predecessor
    where h.outcome in ('new', 'changed') and c.number = h.contract and c.predecessor_id is distinct from p.id`.execute(
    trx,
  );
  await sql`insert into contract_tier (contract_id, tier_no, name, requirement, needs_loc)
    select c.id, s.tier_no, s.tier_name, s.requirement, s.needs_loc
    from contract_step s join contract_head h on h.key = s.key join gpo_contract c on c.number = h.contract
    where s.outcome = 'new' order by c.id, s.tier_no`.execute(trx);
  await sql`update contract_tier t set name = s.tier_name, requirement = s.requirement, needs_loc = s.needs_loc, version = t.version + 1
    from contract_step s where s.outcome = 'changed' and s.id = t.id`.execute(trx);
  await sql`update contract_tier t set fallback_tier_id = f.id
    from contract_step s join contract_head h on h.key = s.key join gpo_contract c on c.number = h.contract
    join contract_tier f on f.contract_id = c.id and f.tier_no = s.fallback_no
    where s.outcome <> 'same' and t.contract_id = c.id and t.tier_no = s.tier_no and t.fallback_tier_id is distinct from f.id`.execute(
    trx,
  );
}
