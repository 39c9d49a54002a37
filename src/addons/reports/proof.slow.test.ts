// Checks the reports of 200 random companies, which have every kind of quote, against a second calculation.
import { proveReports } from '#testing/reports/prove-reports.server.ts';

proveReports({ companies: 200, whole: 40, everyKind: true });
