// What the figures of a report mean, in the words of its definitions.
import { Modal, Text } from '@mantine/core';
import type { Definition } from '#features/reports/common.definitions.ts';
import { type ReportKey, reportTab } from './report-tabs.ts';
import classes from './reports.module.css';

type Props = { report: ReportKey; definitions: readonly Definition[]; onClose: () => void };

export function DefinitionsDialog({ report, definitions, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`${reportTab(report).label}: what the figures mean`} size="lg">
      <dl className={classes['definitions']}>
        {definitions.map(({ term, meaning }) => (
          <div key={term}>
            <dt>{term}</dt>
            <Text component="dd" size="sm">
              {meaning}
            </Text>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
