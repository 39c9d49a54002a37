// The server and the company of the walks over the whole contract (src/app/every-call, bad-input, out-of-sight, secrets).
import { afterAll, beforeAll } from 'vitest';
import type { Endpoint } from '#platform/api/endpoint.ts';
import { contract } from '#app/contract.ts';
import { openLog } from '#app/log.server.ts';
import { ROLES, type Role } from '#platform/shared/roles.ts';
import { aRegion, aUser } from '../factories/people.server.ts';
import { startTestServer } from '../test-server.server.ts';

export type Company = Awaited<ReturnType<typeof startCompany>>;

/** Secrets of the configuration. No answer and no line of the log may have the word `planted`. */
const PLANTED = {
  tokenSecret: 'planted-token-secret-of-32-characters',
  otherTokenSecret: 'planted-former-secret-of-32-characters',
  smtpUrl: 'smtp://mailer:planted-smtp-password@127.0.0.1:1',
};

/** Every call of the contract by its name. */
export const calls = Object.values(contract).flatMap((group) => Object.entries<Endpoint>(group));
export const placeOf = ({ in: place = 'body' }: Endpoint) => place;
/** The roles that may make a call; all of them when it needs only an account, or none. */
export const rolesFor = ({ access }: Endpoint): readonly Role[] => (typeof access === 'string' ? ROLES : access);

/** Headers of another address at each call, because the walks are not about rate limits. */
let tries = 0;
export const from = () => ({ 'x-forwarded-for': `10.${(++tries >> 16) & 255}.${(tries >> 8) & 255}.${tries & 255}` });

/** Starts the company before the tests of a file and closes it after them. */
export function aCompany(): () => Company {
  let company: Company;
  beforeAll(async () => {
    company = await startCompany();
  });
  afterAll(() => company.server.close());
  return () => company;
}

/** A server with one person of each role in one region; the supporter helps the sales rep. */
async function startCompany() {
  const log: string[] = [];
  const server = await startTestServer({
    config: { ...PLANTED, trustProxy: 1 },
    log: openLog('trace', { write: (line) => void log.push(line) }),
  });
  const region = await aRegion(server.db);
  const people = new Map<Role, number>();
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  people.set('salesrep', rep.id);
  for (const role of ROLES.filter((candidate) => candidate !== 'salesrep')) {
    const supports = role === 'salessupport' ? [rep.id] : [];
    people.set(role, (await aUser(server.db, { roles: [role], regionIds: [region.id], supports })).id);
  }
  const as = (role: Role): number => {
    const id = people.get(role);
    if (id === undefined) throw new Error(`nobody is ${role}`);
    return id;
  };
  return { server, region, as, log };
}
