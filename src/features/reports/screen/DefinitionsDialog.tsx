// What the figures of a report mean, in the words of its definitions. It loads when it is first opened.
import { Modal, Text } from '@mantine/core';
import { DEFINITIONS } from './definitions.ts';
import { type ReportKey, reportTab } from './report-tabs.ts';
import classes from './reports.module.css';

export default function DefinitionsDialog({ report, onClose }: { report: ReportKey; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`${reportTab(report).label}: what the figures mean`} size="lg">
      <dl className={classes['definitions']}>
        {DEFINITIONS[report].map(({ term, meaning }) => (
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
