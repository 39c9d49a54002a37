// No person of any role and no import ends with more rights than it began with: each person makes every call open to the role.
import { walkRights } from '#testing/walks/rights-walk.server.ts';

const { byPeople, byImports } = walkRights();
byPeople();
byImports();
