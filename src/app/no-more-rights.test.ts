// No API key ends with more rights than its caller began with, and nobody sees more quotes because of one; no-more-rights.slow.test.ts walks people and imports.
import { walkRights } from '#testing/walks/rights-walk.server.ts';

walkRights().byKeys();
