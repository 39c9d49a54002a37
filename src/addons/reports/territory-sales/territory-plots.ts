// The plots of territories: won compared with the year before, and what is open.
import { figureIn, type Plot } from '../plots/plot.ts';
import type { HrefOf } from '../plots/words.ts';
import type { TerritorySalesReport } from '../reports.contract.ts';

const DRAWN = 20;

export function wonByTerritory({ territories, currnIdx }: TerritorySalesReport, hrefOf: HrefOf): Plot {
  return {
    kind: 'bars',
    title: 'Won by territory, compared with a year earlier',
    unit: { amountIn: currnIdx },
    over: 'Territory',
    series: [
      { name: 'Won', tone: 0 },
      { name: 'A year earlier', tone: 2 },
    ],
    facts: ['Region', 'Change', 'Quotes', 'Quotes a year earlier'],
    drawn: DRAWN,
    rows: territories.map((territory) => ({
      label: territory.name,
      values: [territory.won, territory.wonYearBefore],
      hrefs: [hrefOf(territory.wonSlice), hrefOf(territory.wonYearBeforeSlice)],
      facts: [
        territory.regionName,
        `${(territory.changePct ?? 0) > 0 ? '+' : ''}${figureIn('percent', territory.changePct)}`,
        territory.wonCount.toLocaleString('en-US'),
        territory.wonCountYearBefore.toLocaleString('en-US'),
      ],
    })),
  };
}

export function openByTerritory({ territories, currnIdx }: TerritorySalesReport, hrefOf: HrefOf): Plot {
  return {
    kind: 'bars',
    title: 'Open by territory',
    unit: { amountIn: currnIdx },
    over: 'Territory',
    series: [{ name: 'Open', tone: 3 }],
    facts: ['Region', 'Quotes'],
    drawn: DRAWN,
    rows: territories
      .toSorted((a, other) => other.open - a.open)
      .map((territory) => ({
        label: territory.name,
        values: [territory.open],
        hrefs: [hrefOf(territory.openSlice)],
        facts: [territory.regionName, territory.openCount.toLocaleString('en-US')],
      })),
    note: 'Open now, regardless of the period.',
  };
}
