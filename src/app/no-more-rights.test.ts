// Tests that no API key ends with more permissions than its caller had, and that nobody sees more quotes because of one; no-more-rights.slow.test.ts
// tests users and imports.
import { walkRights } from '#testing/walks/rights-walk.server.ts';

walkRights().byKeys();
