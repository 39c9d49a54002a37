// Shows the report in the address, or the list of quotes behind one of its figures.
import { Navigate, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { paths } from '#platform/shared/paths.ts';
import { ContractUsePage } from '../contract-use/ContractUsePage.tsx';
import { DiscountMarginPage } from '../discount-margin/DiscountMarginPage.tsx';
import { PivotPage } from '../pivot/PivotPage.tsx';
import { PipelinePage } from '../pipeline/PipelinePage.tsx';
import { SpeedPage } from '../speed/SpeedPage.tsx';
import { TerritorySalesPage } from '../territory-sales/TerritorySalesPage.tsx';
import { WonLostPage } from '../won-lost/WonLostPage.tsx';
import { ReportQuotesPage } from '../screen/ReportQuotesPage.tsx';
import type { ReportKey } from '../screen/report-tabs.ts';

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
