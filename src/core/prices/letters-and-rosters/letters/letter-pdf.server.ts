// Renders the PDF of a letter of commitment from its record. Typst typesets it in a separate process.
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { cityStateZip } from '#platform/shared/place-words.ts';
import type { LetterContent, LetterPdf } from './letter-process.server.ts';
import type { Letter } from './letters.contract.ts';

const SAYS = 'The PDF could not be made. Try again in a moment.';

/** The process that typesets letters, one at a time. `timeout` is in milliseconds. */
export function letterPool(file: URL, timeout = 20_000): ProcessPool<LetterContent, LetterPdf> {
  return new ProcessPool(file, { size: 1, timeout, says: SAYS });
}

const letters = letterPool(new URL('./letter-process.server.ts', import.meta.url));

/** Throws 503 when the process hangs, dies or fails. The reason is logged. */
export async function letterPdf(
  db: Db,
  services: Services,
  letter: Letter,
  log: Pick<FastifyBaseLogger, 'error'>,
  pool = letters,
): Promise<FileAnswer> {
  const content = await letterContent(db, services, letter);
  const { pdf } = await pool.run(content).catch((error: unknown) => {
    log.error({ err: error }, 'a letter of commitment could not be set');
    throw new HttpError(503, SAYS);
  });
  return { name: `Letter of commitment ${content.number}.pdf`, bytes: Buffer.from(pdf), mediaType: 'application/pdf' };
}

/** The content of the letter. */
export async function letterContent(db: Db, services: Pick<Services, 'clock'>, letter: Letter): Promise<LetterContent> {
  const company = await loadCompany(db);
  const { rows } = await sql<Found>`
    select c.number, c.title, c.effective_from as "from", coalesce(c.extended_to, c.effective_to) as "to", gpo.name as gpo,
           t.requirement, f.ship_to_line1 as line1, f.ship_to_city as city, f.ship_to_state as state, f.ship_to_zip as zip,
           (select member_id from contract_roster r where r.contract_id = c.id and r.facility_id = f.id and r.member_id <> ''
             order by r.valid_from desc limit 1) as "memberId",
           (with recursive below as (
              select id, 1 as depth from facility where parent_id = f.id
              union all
              select child.id, b.depth + 1 from below b join facility child on child.parent_id = b.id where b.depth < 8)
            select count(*)::int from below) as children
      from contract_loc o join gpo_contract c on c.id = o.contract_id left join gpo on gpo.id = c.gpo_id
      join contract_tier t on t.id = o.tier_id join facility f on f.id = o.facility_id where o.id = ${letter.id}`.execute(
    db,
  );
  const [result] = rows;
  if (!result) throw new Error('a letter that was read has its contract');
  const { facility, from, to, coversChildren } = letter;
  const place = cityStateZip(result);
  const days = `${formatDate(from)} – ${formatDate(to) || formatDate(result.to)}`;
  const others = `${result.children} ${result.children === 1 ? 'facility' : 'facilities'} below it`;
  const now = today(services, company);
  return {
    number: result.number,
    date: now.split('-').map(Number) as [number, number, number],
    company: { name: company.name, lines: [company.address, company.phone, company.email].filter(Boolean) },
    facts: [
      { label: 'Contract', value: `${result.number}, ${result.title}` },
      { label: 'Group', value: result.gpo ?? 'Local agreement' },
      { label: 'Contract term', value: `${formatDate(result.from)} – ${formatDate(result.to)}` },
      { label: 'Facility', value: facility.name },
      { label: 'Address', value: [result.line1, place].filter(Boolean).join(', ') },
      {
        label: 'Account',
        value: [facility.acctNo, result.memberId ? `member ${result.memberId}` : ''].filter(Boolean).join(', '),
      },
      { label: 'Also for', value: coversChildren ? others : 'no other facility' },
      { label: 'Tier', value: `${letter.tierNo}. ${letter.tierName}` },
      { label: 'Commitment', value: result.requirement || 'as agreed with the group' },
      { label: 'Days', value: days },
    ],
    text: [
      `${facility.name} commits to the requirement of tier ${letter.tierNo}, ${letter.tierName}, of the contract named above for the days stated${coversChildren ? ', for itself and the facilities below it' : ''}.`,
      `In return ${company.name} grants the prices of this tier from the day on which it approves the letter, for as long as the commitment is kept and the contract holds. Until then, and after this letter ends, the prices of the tier without a commitment apply.`,
      'Either side may end this letter in writing. It changes nothing else of the contract.',
    ],
    signers: [
      { party: `For ${facility.name}`, name: letter.signer },
      { party: `For ${company.name}`, name: '' },
    ],
  };
}

type Found = {
  number: string;
  title: string;
  from: string;
  to: string;
  gpo: string | null;
  requirement: string;
  line1: string;
  city: string;
  state: string;
  zip: string;
  memberId: string | null;
  children: number;
};
