// Proves the reports of a few random companies by a second calculation; proof.slow.test.ts proves 200.
import { proveReports } from '#testing/reports/prove-reports.server.ts';

proveReports({ companies: 12, whole: 4, everyKind: false });
