// Proves the reports of 200 random companies, among whose quotes is every kind, by a second calculation.
import { proveReports } from '#testing/reports/prove-reports.server.ts';

proveReports({ companies: 200, whole: 40, everyKind: true });
