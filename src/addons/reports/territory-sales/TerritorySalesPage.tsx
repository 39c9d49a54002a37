// The report on territories: won and open amounts, compared with the year before, as bars and on the map.
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { MAP_ROLES } from '#addons/territory-map/territory-map.contract.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { later } from '#platform/ui/later.tsx';
import { PlotFrame } from '../plots/PlotFrame.tsx';
import { Report, type TerritorySalesReport } from '../reports.contract.ts';
import { ASKED, type ReportAddress, useReportAddress } from '../screen/report-address.web.ts';
import { ReportPage } from '../screen/ReportPage.tsx';
import classes from '../screen/reports.module.css';
import { TERRITORY_SALES_DEFINITIONS } from './territory-sales.definitions.ts';
import { openByTerritory, wonByTerritory } from './territory-plots.ts';

const SalesMap = later(() => import('./SalesMap.tsx'), {
  // As high as the map, so that the plots below do not move.
  loading: (
    <section className={`card ${classes['wide'] ?? ''} ${classes['mapCard'] ?? ''}`} aria-busy aria-label="Map">
      <Box h={30} />
      <div className={classes['map']} />
    </section>
  ),
  failed: 'The map could not be loaded. Check the network and reload the page.',
});

export function TerritorySalesPage() {
  const address = useReportAddress('territories');
  const query = useQuery({ ...api(Report).GetTerritorySales.query(address.filters), ...ASKED });
  return (
    <ReportPage report="territories" address={address} found={query} definitions={TERRITORY_SALES_DEFINITIONS}>
      {(report) => <Figures report={report} address={address} />}
    </ReportPage>
  );
}

function Figures({ report, address: { hrefOf } }: { report: TerritorySalesReport; address: ReportAddress }) {
  const user = useSession();
  return (
    <>
      {user && hasRole(user, ...MAP_ROLES) && report.territories.length > 0 ? (
        <SalesMap report={report} hrefOf={hrefOf} />
      ) : null}
      <PlotFrame plot={wonByTerritory(report, hrefOf)} empty="No quotes in any territory." />
      <PlotFrame plot={openByTerritory(report, hrefOf)} empty="No quotes in any territory." />
    </>
  );
}
