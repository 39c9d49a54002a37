// The tabs of a contract's page. Features of the core add an entry here. Add-ons use the door.
import type { ComponentType } from 'react';
import { FileBrowser } from '#core/prices/contracts/files/FileBrowser.tsx';
import { LettersPanel } from '#core/prices/letters-and-rosters/letters/LettersPanel.tsx';
import { RosterPanel } from '#core/prices/letters-and-rosters/rosters/RosterPanel.tsx';
import { openEntries } from '#platform/addons/addon.web.ts';
import { partFrom } from '#platform/addons/door-parts.tsx';
import type { Sort } from '#platform/shared/wire.ts';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import type { ContractTab } from './contract-tab.web.ts';
import { contractTabs } from './doors.web.ts';
import type { ContractDetail } from './contract-page.contract.ts';
import { HistoryTab } from './HistoryTab.tsx';
import { ImportLink } from './ImportLink.tsx';
import { LinesPanel } from './LinesPanel.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { QuotesTab } from './QuotesTab.tsx';

type Tab = {
  tab: string;
  label: string;
  /** The number shown after the label. */
  count?: (data: ContractDetail) => number;
  /** Returns whether there are more than the count shows. */
  more?: (data: ContractDetail) => boolean;
  /** Returns whether the user sees the tab. Without it, everyone who sees the contract does. */
  shown?: (data: ContractDetail) => boolean;
  /** The tab's initial sort order. */
  order?: Sort;
  Panel: ComponentType<ContractTab>;
};

const TABS: [Tab, ...Tab[]] = [
  { tab: 'overview', label: 'Overview', Panel: OverviewPanel },
  {
    tab: 'lines',
    label: 'Lines',
    count: ({ counts }) => counts.lines,
    order: { field: 'itemNumber', dir: 'asc' },
    Panel: LinesPanel,
  },
  {
    tab: 'roster',
    label: 'Roster',
    count: ({ counts }) => counts.roster,
    Panel: ({ data }) => (
      <RosterPanel
        contractId={data.contract.id}
        tiers={data.tiers}
        today={data.today}
        more={<ImportLink data={data} kind="rosters" />}
      />
    ),
  },
  {
    tab: 'letters',
    label: 'Letters of commitment',
    count: ({ counts }) => counts.letters,
    Panel: ({ data }) => (
      <LettersPanel
        contractId={data.contract.id}
        tiers={data.tiers}
        today={data.today}
        more={<ImportLink data={data} kind="letters" />}
      />
    ),
  },
  {
    tab: 'files',
    label: 'Files',
    count: ({ counts }) => counts.files,
    Panel: ({ data }) => (
      <AllAtOnce screen={`files of contract ${data.contract.id}`}>
        <FileBrowser contractId={data.contract.id} />
      </AllAtOnce>
    ),
  },
  {
    tab: 'quotes',
    label: 'Quotes',
    count: ({ counts }) => counts.quotes,
    more: ({ counts }) => counts.moreQuotes,
    order: { field: 'quoteDate', dir: 'desc' },
    Panel: QuotesTab,
  },
];
const HISTORY: Tab = {
  tab: 'history',
  label: 'History',
  shown: ({ allowedActions }) => allowedActions.includes('ReadHistory'),
  Panel: HistoryTab,
};

export const contractTabsNow = (): [Tab, ...Tab[]] => [
  ...TABS,
  ...openEntries(contractTabs).map(({ load, ...tab }) => ({
    ...tab,
    Panel: partFrom(load, 'This tab could not be loaded. Reload the page.'),
  })),
  HISTORY,
];
