// Fills more of the demo company's contracts: terms and contacts of all, tiers with fallbacks, and contracts in the other states.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import type { DemoContract } from './demo-agreed-prices.server.ts';

type Extra = {
  number: string;
  title: string;
  /** The contract from which GPO, category, tiers and lines are copied. */
  like: DemoContract;
  /** The number of its lines to copy. `lower`: by how many percent to lower their prices. */
  lines: number;
  lower: number;
  from: IsoDate;
  to: IsoDate;
  state?: 'Draft' | 'Terminated';
  terminatedOn?: IsoDate;
  openTo?: 'members';
  /** True if it succeeds the contract in `like`. */
  follows?: true;
  /** True if the facilities of `like` also buy under it, from its first day on. */
  roster?: true;
};

/** None of these contracts has a price on a day up to today, so the prices of the demo's quotes stay valid. */
export async function fillMoreContracts(db: Db, contracts: readonly DemoContract[], today: IsoDate): Promise<void> {
  const [gloves, infusion, closure] = contracts;
  if (!gloves || !infusion || !closure) return;
  const extras: Extra[] = [
    {
      number: 'P-2401',
      title: 'Sutures, closure and related supplies, renewal',
      like: closure,
      lines: 150,
      lower: 2,
      from: addDays(closure.to, 1),
      to: addDays(closure.to, 1095),
      follows: true,
      roster: true,
    },
    {
      number: 'K-2420',
      title: 'IV & infusion, next round',
      like: infusion,
      lines: 40,
      lower: 4,
      from: addDays(infusion.to, 1),
      to: addDays(infusion.to, 730),
      state: 'Draft',
      follows: true,
    },
    {
      number: 'U-2433',
      title: 'Exam gloves for all members',
      like: gloves,
      lines: 30,
      lower: 1,
      from: addDays(today, 20),
      to: addDays(today, 385),
      openTo: 'members',
    },
    {
      number: 'P-2155',
      title: 'Surgical drapes and gowns',
      like: closure,
      lines: 25,
      lower: 0,
      from: addDays(today, -700),
      to: addDays(today, 200),
      state: 'Terminated',
      terminatedOn: addDays(today, -60),
    },
  ];
  for (const extra of extras) await addContract(db, extra);

  // The facility for which a letter is approved has signed it.
  await sql`update contract_loc o
    set signer = coalesce((select name from contact where facility_id = o.facility_id order by id limit 1), 'Purchasing'),
      signed_on = valid_from - 14, state_at = valid_from - 7 + time '15:00'
    where state = 'Approved'`.execute(db);

  await sql`update contract_tier
    set requirement = case when needs_loc then 'Signed letter of commitment for 85 % of purchases in the category'
      when tier_no = 2 then 'At least 60 % of purchases in the category, by the quarterly report' else requirement end,
      provisional_allowed = needs_loc,
      fallback_tier_id = case when needs_loc then (select id from contract_tier lower
        where lower.contract_id = contract_tier.contract_id and lower.tier_no = contract_tier.tier_no - 1) end`.execute(
    db,
  );
  await sql`update gpo_contract set
      payment_terms = case when gpo_id is null then 'Net 30' else '2% 10, Net 30' end,
      freight_terms = case when gpo_id = 2 then 'FOB Destination' else 'Prepaid and add' end,
      minimum_order = case when gpo_id is null then null else 150 + 50 * gpo_id end,
      returns_terms = 'Unopened cases within 30 days, restocking fee 15 %. Sterile goods are not taken back.',
      eligibility = case when gpo_id is null then 'Facilities of the health system that signed the agreement.'
        when open_to = 'members' then 'Every active member; no commitment for the base tier.'
        else 'Active members on the roster. Tiers above the base follow the share of purchases in the category.' end,
      price_firm_until = effective_from + 365,
      admin_fee_pct = case when gpo_id is null then null else 2.5 + 0.25 * gpo_id end,
      gpo_contact = coalesce((select 'Contract services, ' || name || ', (800) 555-01' || lpad((id * 7)::text, 2, '0')
        from gpo where id = gpo_id), ''),
      contact_id = (select id from app_user where user_name = 'contracts@example.com')`.execute(db);
}

async function addContract(db: Db, extra: Extra): Promise<void> {
  const { like } = extra;
  const { id } = await db
    .insertInto('gpo_contract')
    .values({
      number: extra.number,
      gpo_id: like.gpoId,
      title: extra.title,
      category: sql<string>`(select category from gpo_contract where id = ${like.id})`,
      award_type: 'dual',
      effective_from: extra.from,
      effective_to: extra.to,
      state: extra.state ?? 'Active',
      terminated_on: extra.terminatedOn ?? null,
      open_to: extra.openTo ?? 'roster',
      predecessor_id: extra.follows ? like.id : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into contract_tier (contract_id, tier_no, name, needs_loc)
    select ${id}, tier_no, name, needs_loc from contract_tier where contract_id = ${like.id} order by tier_no`.execute(
    db,
  );
  await sql`insert into contract_line (contract_id, item_id, unit)
    select ${id}, item_id, unit from contract_line where contract_id = ${like.id} order by id limit ${extra.lines}`.execute(
    db,
  );
  await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
    select line.id, tier.id, round(p.price * (1 - ${extra.lower}::numeric / 100), 2), ${extra.from}::date
      from contract_line line
      join contract_line old on old.contract_id = ${like.id} and old.item_id = line.item_id and old.unit = line.unit
      join contract_line_price p on p.contract_line_id = old.id
      join contract_tier was on was.id = p.tier_id
      join contract_tier tier on tier.contract_id = ${id} and tier.tier_no = was.tier_no
     where line.contract_id = ${id} and p.price >= 0.01 order by line.id, tier.tier_no`.execute(db);
  if (!extra.roster) return;
  await sql`insert into contract_roster (contract_id, facility_id, tier_id, member_id, valid_from)
    select ${id}, r.facility_id, tier.id, r.member_id, ${extra.from}::date
      from contract_roster r join contract_tier was on was.id = r.tier_id
      join contract_tier tier on tier.contract_id = ${id} and tier.tier_no = was.tier_no
     where r.contract_id = ${like.id} order by r.id`.execute(db);
}
