// The filters of the inbox: the stage, the file name, and how waiting pictures match.
import { Group, SegmentedControl, Tabs } from '@mantine/core';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { INBOX_STAGES, type InboxStage, type Match } from '../../pictures.contract.ts';
import { type InboxCounts, STAGE_LABELS } from './inbox-words.web.ts';

export const AT_WORK: InboxStage[] = ['waiting', 'upload', 'file'];

type Props = {
  /** Null means the stages with work in progress. */
  stage: InboxStage | null;
  keyword: string;
  match: Match | null;
  counts: InboxCounts | undefined;
  /** One stage at a time, chosen by tabs. */
  narrow: boolean;
  onChange: (patch: { keyword?: string; match?: string; stage?: string }) => void;
};

export function InboxFilters({ stage, keyword, match, counts, narrow, onChange }: Props) {
  return (
    <>
      <Group gap="sm" px={{ base: 'md', sm: 0 }}>
        {narrow ? null : (
          <SegmentedControl
            aria-label="What is shown"
            data={[
              { value: '', label: 'At work' },
              { value: 'refused', label: `Refused ${counts ? counts.refused.toLocaleString('en-US') : ''}` },
              { value: 'removed', label: `Removed ${counts ? counts.removed.toLocaleString('en-US') : ''}` },
            ]}
            value={stage && !AT_WORK.includes(stage) ? stage : ''}
            onChange={(value) => onChange({ stage: value })}
          />
        )}
        <KeywordField
          label="Part of a file's name"
          w={220}
          value={keyword}
          onChange={(value) => onChange({ keyword: value })}
        />
        <FilterSelect
          label="Match of waiting pictures"
          w={180}
          all="All waiting"
          choices={[
            { value: 'matched', label: 'Matched' },
            { value: 'ambiguous', label: 'Ambiguous' },
            { value: 'unmatched', label: 'Without a product' },
          ]}
          value={match ?? ''}
          onChange={(value) => onChange({ match: value })}
        />
      </Group>
      {narrow ? (
        <Tabs value={stage ?? 'waiting'} onChange={(value) => onChange({ stage: value ?? '' })}>
          <Tabs.List aria-label="Stages" style={{ flexWrap: 'nowrap', overflowX: 'auto' }}>
            {INBOX_STAGES.map((inboxStage) => (
              <Tabs.Tab key={inboxStage} value={inboxStage} style={{ flex: 'none' }}>
                {STAGE_LABELS[inboxStage]} {counts ? counts[inboxStage].toLocaleString('en-US') : ''}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      ) : null}
    </>
  );
}
