// Parts of a facility's details: a card with its action, lines of label and value, and entries with their actions.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './facility-admin.module.css';

type Props = { title: string; actions?: ReactNode; children: ReactNode };

export function FacilityPart({ title, actions, children }: Props) {
  return (
    <section className={`card ${classes['part']}`} aria-label={title}>
      <Group justify="space-between" gap="xs" mb="xs" mih={28} wrap="nowrap">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions ? (
          <Group gap={6} wrap="nowrap" className="no-print">
            {actions}
          </Group>
        ) : null}
      </Group>
      {children}
    </section>
  );
}

export function PartButton({ label, says, onClick }: { label: string; says?: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" {...(says ? { 'aria-label': says } : {})} onClick={onClick}>
      {label}
    </Button>
  );
}

export function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="start" py={2}>
      <Text component="dt" size="sm" className="muted" w={130} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children || '–'}
      </Text>
    </Group>
  );
}

/** Entries in a column, each with its actions on the right. */
export function Entries({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes['entries']} aria-label={label}>
      {children}
    </ul>
  );
}

export function Entry({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <li>
      <div className={classes['entry']}>{children}</div>
      {actions ? (
        <Group gap={4} wrap="nowrap" className="no-print">
          {actions}
        </Group>
      ) : null}
    </li>
  );
}

/** The actions on a dated entry that has not ended. */
export function EditOrEnd({ what, onEdit, onEnd }: { what: string; onEdit: () => void; onEnd: () => void }) {
  return (
    <>
      <PartButton label="Edit" says={`Edit ${what}`} onClick={onEdit} />
      <PartButton label="End" says={`End ${what}`} onClick={onEnd} />
    </>
  );
}

type DatedProps<T> = {
  label: string;
  rows: T[];
  today: string;
  /** Without any. */
  none: string;
  render: (row: T) => ReactNode;
};

/** Dated entries: current and future ones, and past ones on demand. */
export function DatedEntries<T extends { to: string | null }>({ label, rows, today, none, render }: DatedProps<T>) {
  const [all, setAll] = useState(false);
  const ended = rows.filter((row) => isOver(row, today)).length;
  const shown = all ? rows : rows.filter((row) => !isOver(row, today));
  return (
    <Stack gap={6} align="stretch">
      {shown.length === 0 ? (
        <Text size="sm" className="muted">
          {none}
        </Text>
      ) : (
        <Entries label={label}>{shown.map(render)}</Entries>
      )}
      {ended > 0 ? (
        <div className="no-print">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            ml={-8}
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {all ? 'Hide ended' : `Show ended (${ended})`}
          </Button>
        </div>
      ) : null}
    </Stack>
  );
}

export const isOver = ({ to }: { to: string | null }, today: string) => to !== null && to < today;

export function EndedWord() {
  return (
    <Text size="xs" className="muted">
      Ended
    </Text>
  );
}
