// Identifies the facility of a mail by its sender: a contact with the address, or else the facilities whose contacts have the same domain.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import type { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { isServed } from '#core/quoting/quotes/facilities-in-sight.server.ts';
import type { NewQuote, Sender } from './new-quote.contract.ts';

const MAX_PROPOSALS = 10;
/** Public mail providers, where the domain does not identify a facility. */
const PUBLIC =
  /^(?:gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|aol|icloud|me|mac|comcast|verizon|att|sbcglobal|bellsouth|cox|charter|earthlink|protonmail|proton|gmx|mail)\.(?:com|net|org|me)$/;

type Asking = { db: Db; user: Caller; services: Services };
type Hit = FacilityHit & { contact: string; email: string; phone: string };

export async function findSender(
  { db, user, services }: Asking,
  { email }: ParsedInputOf<typeof NewQuote.FindSender>,
): Promise<Sender> {
  const address = email.toLowerCase();
  const [, domain = ''] = /^[^@\s]+@([^@\s]+)$/.exec(address) ?? [];
  if (domain === '') return { facility: null, proposals: [], contact: null, by: 'nothing' };
  const day = today(services, await loadCompany(db));
  const find = async (where: ReturnType<typeof sql>): Promise<Hit[]> => {
    const { rows } = await sql<Hit>`
      select distinct on (f.id) f.id, f.acct_no as "acctNo", f.name, f.ship_to_city as city, f.ship_to_state as state,
        f.ship_to_zip as zip, c.name as contact, c.email, c.phone
        from contact c join facility f on f.id = c.facility_id
       where f.active and ${where} and ${isServed(user, day, sql`f.id`)}
       order by f.id, c.id limit ${MAX_PROPOSALS + 1}`.execute(db);
    return rows;
  };
  const byAddress = await find(sql`lower(c.email) = ${address}`);
  const isByAddress = byAddress.length > 0;
  const hits =
    isByAddress || PUBLIC.test(domain) ? byAddress : await find(sql`lower(split_part(c.email, '@', 2)) = ${domain}`);
  const [only, ...others] = hits;
  if (!only) return { facility: null, proposals: [], contact: null, by: 'nothing' };
  const by = isByAddress ? 'address' : 'domain';
  if (others.length > 0)
    return { facility: null, proposals: hits.slice(0, MAX_PROPOSALS).map(facilityHit), contact: null, by };
  const contact = isByAddress ? { name: only.contact, email: only.email, phone: only.phone } : null;
  return { facility: facilityHit(only), proposals: [], contact, by };
}

const facilityHit = ({ id, acctNo, name, city, state, zip }: Hit): FacilityHit => ({
  id,
  acctNo,
  name,
  city,
  state,
  zip,
});
