// Shows the report that the address names, or the list of quotes behind one of its figures.
import { Navigate, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { paths } from '#shared/paths.ts';
import { ContractUsePage } from '#features/reports/contract-use/ContractUsePage.tsx';
import { DiscountMarginPage } from '#features/reports/discount-margin/DiscountMarginPage.tsx';
import { PivotPage } from '#features/reports/pivot/PivotPage.tsx';
import { PipelinePage } from '#features/reports/pipeline/PipelinePage.tsx';
import { SpeedPage } from '#features/reports/speed/SpeedPage.tsx';
import { TerritorySalesPage } from '#features/reports/territory-sales/TerritorySalesPage.tsx';
import { WonLostPage } from '#features/reports/won-lost/WonLostPage.tsx';
import { ReportQuotesPage } from '#features/reports/screen/ReportQuotesPage.tsx';
import type { ReportKey } from '#features/reports/screen/report-tabs.ts';

const PAGES: Record<Exclude<ReportKey, 'pipeline'> | 'quotes', ComponentType> = {
  'won-lost': WonLostPage,
  'discount-margin': DiscountMarginPage,
  speed: SpeedPage,
  contracts: ContractUsePage,
  territories: TerritorySalesPage,
  pivot: PivotPage,
  quotes: ReportQuotesPage,
};

export default function ReportsPage() {
  const { report } = useParams({ strict: false });
  if (report === undefined) return <PipelinePage />;
  const Page = Object.hasOwn(PAGES, report) ? PAGES[report as keyof typeof PAGES] : null;
  return Page ? <Page key={report} /> : <Navigate to={paths.reports} replace />;
}
