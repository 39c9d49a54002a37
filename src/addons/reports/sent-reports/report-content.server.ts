// Computes the content of a sent report: the figures of the quotes that the recipient sees, as plots, for the days of its period.
import { loadCompany, today } from '#platform/company/company.server.ts';
import { formatDate, formatTime } from '#platform/shared/dates.ts';
import { csvLine } from '#platform/shared/csv.ts';
import type { Definition } from '../common.definitions.ts';
import { getContractUse } from '../contract-use/contract-use.server.ts';
import * as ofContracts from '../contract-use/contract-use-plots.ts';
import { getDiscountMargin } from '../discount-margin/discount-margin.server.ts';
import * as ofMargin from '../discount-margin/discount-margin-plots.ts';
import type { Asked } from '../facts/selection.server.ts';
import { getPipeline } from '../pipeline/pipeline.server.ts';
import * as ofPipeline from '../pipeline/pipeline-plots.ts';
import { figureIn, hasFigures, type Plot, unitWords } from '../plots/plot.ts';
import { type HrefOf, rateOf } from '../plots/words.ts';
import type { ReportHead } from '../reports.contract.ts';
import { PIPELINE_DEFINITIONS } from '../pipeline/pipeline.definitions.ts';
import { WON_LOST_DEFINITIONS } from '../won-lost/won-lost.definitions.ts';
import { DISCOUNT_MARGIN_DEFINITIONS } from '../discount-margin/discount-margin.definitions.ts';
import { PIVOT_DEFINITIONS } from '../pivot/pivot.definitions.ts';
import { getPivot } from '../pivot/pivot.server.ts';
import { pivotCsv, pivotPlots, pivotTitle, pivotUnit } from '../pivot/pivot-table.ts';
import { SPEED_DEFINITIONS } from '../speed/speed.definitions.ts';
import { CONTRACT_USE_DEFINITIONS } from '../contract-use/contract-use.definitions.ts';
import { TERRITORY_SALES_DEFINITIONS } from '../territory-sales/territory-sales.definitions.ts';
import { type Chosen, chosenIn } from '../screen/period-address.ts';
import { type ReportKey, reportTab } from '../screen/report-tabs.ts';
import { getSpeed } from '../speed/speed.server.ts';
import * as ofSpeed from '../speed/speed-plots.ts';
import { getTerritorySales } from '../territory-sales/territory-sales.server.ts';
import * as ofTerritories from '../territory-sales/territory-plots.ts';
import { getWonLost } from '../won-lost/won-lost.server.ts';
import * as ofWonLost from '../won-lost/won-lost-plots.ts';
import { filterWords } from './filter-words.server.ts';

export type ReportContent = {
  title: string;
  company: string;
  /** The last day of the period. */
  to: string;
  /** '11/01/2026 to 11/30/2026', 'Region: South'. */
  of: string[];
  figures: Headline[];
  plots: Plot[];
  definitions: readonly Definition[];
  /** '6:00 AM' */
  asOf: string;
  /** The figures as a file. Undefined means those of the plots. */
  csv: string | undefined;
};
/** One of the main figures. */
export type Headline = { name: string; figure: string };

type ReportParts = {
  head: ReportHead;
  figures: Headline[];
  plots: (Plot | null)[];
  definitions: readonly Definition[];
  csv?: string;
};

/** Paper has no links. */
const NO_LINK: HrefOf = () => null;

/** The choices in a report's address. Ignores fields that are not filters. */
export function chosenOf(address: string, day: string): Chosen {
  return chosenIn(Object.fromEntries(new URLSearchParams(address)), day);
}

/** The report as the user sees it. Null while its facts are being prepared. Throws 403 for a pivot of margins that the user may not see. */
export async function reportContent(request: Asked, report: ReportKey, address: string): Promise<ReportContent | null> {
  const company = await loadCompany(request.db);
  const chosen = chosenOf(address, today(request.services, company));
  const { head, figures, plots, definitions, csv } = await PARTS_OF[report](request, chosen);
  if (head.preparing) return null;
  const { from, to } = chosen.filters;
  return {
    title: reportTab(report).label,
    company: company.name,
    to,
    of: [`${formatDate(from)} to ${formatDate(to)}`, ...(await filterWords(request.db, chosen.filters))],
    figures,
    plots: plots.filter((plot) => plot !== null).filter(hasFigures),
    definitions,
    asOf: formatTime(head.asOf, company.time_zone),
    csv,
  };
}

/** All figures of the plots as one table: plot, row, series, figure, unit. A pivot has its own table. */
export function contentCsv({ plots, csv }: ReportContent): string {
  if (csv !== undefined) return csv;
  const rows = plots.flatMap((plot) =>
    plot.rows.flatMap((row) =>
      plot.series.map(({ name }, at) => [plot.title, row.label, name, row.values[at] ?? null, unitWords(plot.unit)]),
    ),
  );
  return `\uFEFF${[['Chart', 'Row', 'Series', 'Figure', 'Unit'], ...rows].map(csvLine).join('')}`;
}

const PARTS_OF: Record<ReportKey, (asked: Asked, chosen: Chosen) => Promise<ReportParts>> = {
  pipeline: async (request, { filters, measure }) => {
    const report = await getPipeline(request, filters);
    const open = report.bridge.steps.find(({ step }) => step === 'end');
    return {
      head: report,
      definitions: PIPELINE_DEFINITIONS,
      figures: [
        ...(open ? [quotesIn('Open and not expired', open, report)] : []),
        quotesIn('No activity for 7 days', report.untouched, report),
        quotesIn('Expiring within 7 days', report.expiring, report),
        quotesIn('Expired but still open', report.expired, report),
      ],
      plots: [
        ofPipeline.openByStatus(report, measure, NO_LINK),
        ofPipeline.openByAge(report, null, measure, NO_LINK),
        ofPipeline.sinceLastWeek(report, NO_LINK),
        ofPipeline.perWeek(report, measure, NO_LINK),
      ],
    };
  },
  'won-lost': async (request, { filters, measure }) => {
    const report = await getWonLost(request, filters);
    const { total, currnIdx } = report;
    const shared = { measure, currnIdx, hrefOf: NO_LINK };
    return {
      head: report,
      definitions: WON_LOST_DEFINITIONS,
      figures: [
        quotesIn('Won', { count: total.won, amount: total.wonAmount }, report),
        quotesIn('Lost', { count: total.lost, amount: total.lostAmount }, report),
        { name: 'Win rate by number', figure: figureIn('percent', rateOf(total.won, total.lost)) },
        { name: 'Win rate by amount', figure: figureIn('percent', rateOf(total.wonAmount, total.lostAmount)) },
      ],
      plots: [
        ofWonLost.decidedPerMonth(report, shared),
        ofWonLost.ratePerMonth(report, shared),
        ofWonLost.lostByReason(report, shared),
        ofWonLost.lostByCompetitor(report, shared),
        ofWonLost.lostByGap(report, shared),
        ofWonLost.daysToDecide(report, shared),
        ofWonLost.decidedByRep(report, shared),
        ofWonLost.decidedByTrade(report, shared),
        ofWonLost.decidedByDiscount(report, shared),
        ofWonLost.decidedByRegion(report, shared),
      ],
    };
  },
  'discount-margin': async (request, { filters }) => {
    const report = await getDiscountMargin(request, filters);
    const { waterfall, leakage, margin, uncosted, currnIdx } = report;
    const amount = (value: number) => figureIn({ amountIn: currnIdx }, value);
    const net = waterfall.find(({ step }) => step === 'net');
    return {
      head: report,
      definitions: DISCOUNT_MARGIN_DEFINITIONS,
      figures: [
        ...(net ? [{ name: 'Net', figure: `${amount(net.amount)}, ${figureIn('percent', net.pct)} of list` }] : []),
        {
          name: 'Below system price',
          figure: `${amount(leakage.amount)}, ${figureIn('lines', leakage.lines)}`,
        },
        ...(margin ? [{ name: 'Margin on lines with a cost', figure: figureIn('percent', margin.pct) }] : []),
        ...(uncosted
          ? [{ name: 'Lines without a cost', figure: `${figureIn('lines', uncosted.lines)}, not in the margin` }]
          : []),
      ],
      plots: [
        ofMargin.waterfall(report, NO_LINK),
        ofMargin.discountByRep(report, NO_LINK),
        ofMargin.discountByClass(report, NO_LINK),
        ofMargin.marginBy('rep', report, NO_LINK),
        ofMargin.marginBy('class', report, NO_LINK),
        ofMargin.leakageByRep(report, NO_LINK),
        ofMargin.leakageByClass(report, NO_LINK),
      ],
    };
  },
  speed: async (request, { filters }) => {
    const report = await getSpeed(request, filters);
    return {
      head: report,
      definitions: SPEED_DEFINITIONS,
      figures: [],
      plots: [
        ofSpeed.waitingNow(report, NO_LINK),
        ofSpeed.timeInStatus(report, NO_LINK),
        ofSpeed.approvalsByRule(report, NO_LINK),
        ofSpeed.approvalsByPerson(report, NO_LINK),
        ofSpeed.revisions(report, NO_LINK),
      ],
    };
  },
  contracts: async (request, { filters }) => {
    const report = await getContractUse(request, filters);
    return {
      head: report,
      definitions: CONTRACT_USE_DEFINITIONS,
      figures: [],
      plots: [
        ofContracts.contractUse(report, NO_LINK),
        ofContracts.tierUse(report, NO_LINK),
        ofContracts.expiringContracts(report, NO_LINK),
        ofContracts.risksByMonth(report, null),
        ofContracts.items('quoted', report, NO_LINK),
        ofContracts.items('won', report, NO_LINK),
        ofContracts.items('lost', report, NO_LINK),
        ofContracts.priceSpread(report, NO_LINK),
      ],
    };
  },
  territories: async (request, { filters }) => {
    const report = await getTerritorySales(request, filters);
    return {
      head: report,
      definitions: TERRITORY_SALES_DEFINITIONS,
      figures: [],
      plots: [ofTerritories.wonByTerritory(report, NO_LINK), ofTerritories.openByTerritory(report, NO_LINK)],
    };
  },
  pivot: async (request, { filters, pivot }) => {
    const { rows, columns, measure } = pivot;
    const report = await getPivot(request, { ...filters, rows, columns, measure });
    return {
      head: report,
      definitions: PIVOT_DEFINITIONS,
      figures: [{ name: pivotTitle(pivot), figure: figureIn(pivotUnit(pivot, report), report.total.value) }],
      plots: pivotPlots(report, pivot),
      csv: pivotCsv(report, pivot),
    };
  },
};

function quotesIn(
  name: string,
  { count, amount }: { count: number; amount: number },
  { currnIdx }: ReportHead,
): Headline {
  return { name, figure: `${figureIn({ amountIn: currnIdx }, amount)} in ${figureIn('quotes', count)}` };
}
