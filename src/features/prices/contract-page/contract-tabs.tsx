// The tabs of a contract's page; a part that another feature brings is one more entry.
import type { ComponentType } from 'react';
import { FileBrowser } from '#features/prices/contract-files/FileBrowser.tsx';
import { LettersPanel } from '#features/prices/letters/LettersPanel.tsx';
import { RosterPanel } from '#features/prices/rosters/RosterPanel.tsx';
import { RisksTab } from '#features/quoting/risks/RisksTab.tsx';
import type { Sort } from '#shared/wire.ts';
import type { ContractTab } from './contract-tab.web.ts';
import type { ContractDetail } from './gpo-api.contract.ts';
import { HistoryTab } from './HistoryTab.tsx';
import { ImportLink } from './ImportLink.tsx';
import { LinesPanel } from './LinesPanel.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { QuotesTab } from './QuotesTab.tsx';

type Tab = {
  tab: string;
  label: string;
  /** Shown after the label. */
  count?: (data: ContractDetail) => number;
  /** There are more than were counted. */
  more?: (data: ContractDetail) => boolean;
  /** For whom; everybody who sees the contract unless it says otherwise. */
  shown?: (data: ContractDetail) => boolean;
  /** The tab's initial sort order. */
  order?: Sort;
  Panel: ComponentType<ContractTab>;
};

export const CONTRACT_TABS: [Tab, ...Tab[]] = [
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
    Panel: ({ data }) => <LettersPanel contractId={data.contract.id} tiers={data.tiers} today={data.today} />,
  },
  {
    tab: 'files',
    label: 'Files',
    count: ({ counts }) => counts.files,
    Panel: ({ data }) => <FileBrowser contractId={data.contract.id} />,
  },
  {
    tab: 'quotes',
    label: 'Quotes',
    count: ({ counts }) => counts.quotes,
    more: ({ counts }) => counts.moreQuotes,
    order: { field: 'quoteDate', dir: 'desc' },
    Panel: QuotesTab,
  },
  {
    tab: 'risks',
    label: 'Risks',
    count: ({ counts }) => counts.risks,
    order: { field: 'difference', dir: 'desc' },
    Panel: ({ data, list }) => <RisksTab contractId={data.contract.id} list={list} />,
  },
  {
    tab: 'history',
    label: 'History',
    shown: ({ allowedActions }) => allowedActions.includes('ReadHistory'),
    Panel: HistoryTab,
  },
];
