// Checks the reports of a few random companies against a second calculation. proof.slow.test.ts checks 200.
import { proveReports } from '#testing/reports/prove-reports.server.ts';

proveReports({ companies: 12, whole: 4, everyKind: false });
