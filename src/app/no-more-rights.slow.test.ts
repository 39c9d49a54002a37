// Tests that no user of any role and no import gains permissions: each user makes every call that is open to the role.
import { walkRights } from '#testing/walks/rights-walk.server.ts';

const { byPeople, byImports } = walkRights();
byPeople();
byImports();
