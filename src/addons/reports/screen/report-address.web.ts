// Keeps the filters of all reports in the address of the screen, and remembers them for the next visit.
import { keepPreviousData } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dayIn } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { useAddress, useIsHere } from '#platform/ui/address.web.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { startViewOf } from '#platform/ui/start-view.web.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { ReportHead } from '../reports.contract.ts';
import { addressOfChosen, addressOfSlice, type Chosen, chosenIn } from './period-address.ts';
import type { ReportKey } from './report-tabs.ts';

const REMEMBERED = 'quoteboard.reports';

/** Today in the company's time zone. */
export const todayHere = () => dayIn(appConfig.timeZone || undefined, new Date());

export type ReportAddress = Chosen & {
  /** The same as fields of an address, for links to other reports. */
  search: Record<string, string>;
  change: (patch: Partial<Omit<Chosen, 'filters'>> & { filters?: Partial<ReportFilters> }) => void;
  /** The address of the list behind a figure. */
  hrefOf: (slice: string) => string;
};

export function useReportAddress(report: ReportKey): ReportAddress {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const address = useAddress();
  const isHere = useIsHere();
  const isBlank = Object.keys(address).length === 0;
  const start = isBlank ? (startViewOf(pathname) ?? remembered()) : address;
  const chosen = chosenIn(start, todayHere());
  const search = addressOfChosen(chosen);
  const startAt = isBlank ? JSON.stringify(search) : null;
  useEffect(() => {
    if (startAt === null || !isHere()) return;
    void navigate({ to: pathname, search: JSON.parse(startAt) as Record<string, string>, replace: true });
  }, [startAt, isHere, navigate, pathname]);
  return {
    ...chosen,
    search,
    change: ({ filters, ...patch }) => {
      const next = addressOfChosen({ ...chosen, ...patch, filters: { ...chosen.filters, ...filters } });
      localStorage.setItem(REMEMBERED, JSON.stringify(next));
      void navigate({ to: pathname, search: next, replace: true, resetScroll: false });
    },
    hrefOf: (slice) => paths.reportQuotes(addressOfSlice(chosen, report, slice)),
  };
}

function remembered(): Record<string, string> {
  const last = localStorage.getItem(REMEMBERED);
  return last ? (JSON.parse(last) as Record<string, string>) : {};
}

const ASK_AGAIN_MS = 3000;

/** The options of report queries: earlier figures stay until new ones arrive, and figures in preparation are requested again. */
export const ASKED = {
  staleTime: 0,
  placeholderData: keepPreviousData,
  refetchInterval: (query: { state: { data?: ReportHead | undefined } }) =>
    query.state.data?.preparing ? ASK_AGAIN_MS : false,
} as const;
