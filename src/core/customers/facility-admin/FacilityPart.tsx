// Parts of a facility's details: a card with its action, lines of label and value, and entries with their actions.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Chip } from '#platform/ui/Chip.tsx';
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

type Dated = { id: number; from: string; to: string | null };
type DatedPartProps<T> = {
  title: string;
  /** 'Membership' */
  entryName: string;
  rows: T[];
  /** Entries without dates that the user cannot edit. */
  first?: ReactNode;
  today: string;
  /** The text for an empty list. */
  none: string;
  mayEdit: boolean;
  /** 'the membership of Northern Buyers' */
  called: (row: T) => string;
  name: (row: T) => ReactNode;
  /** Marks after the name, such as 'primary'. */
  chips: (row: T) => ReactNode;
  /** The content below the name. */
  rest: (row: T) => ReactNode;
  /** The form for an entry; null for a new one. */
  edit: (row: T | null, onClose: () => void) => ReactNode;
  end: (row: T, onClose: () => void) => ReactNode;
};

/** A part with dated entries that the user adds, edits and ends. It shows ended entries on demand. */
export function DatedPart<T extends Dated>(props: DatedPartProps<T>) {
  const { title, entryName, today, mayEdit, called } = props;
  const [editing, setEditing] = useState<T | 'new' | null>(null);
  const [ending, setEnding] = useState<T | null>(null);
  return (
    <FacilityPart
      title={title}
      actions={mayEdit ? <PartButton label="Add" says={`Add ${entryName}`} onClick={() => setEditing('new')} /> : null}
    >
      {props.first}
      <DatedEntries
        label={title}
        rows={props.rows}
        today={today}
        none={props.none}
        render={(row) => (
          <Entry
            key={row.id}
            actions={
              mayEdit && !isOver(row, today) ? (
                <>
                  <PartButton label="Edit" says={`Edit ${called(row)}`} onClick={() => setEditing(row)} />
                  <PartButton label="End" says={`End ${called(row)}`} onClick={() => setEnding(row)} />
                </>
              ) : null
            }
          >
            <Group gap={6}>
              {props.name(row)}
              {row.from > today ? <Chip tone="blue">Scheduled</Chip> : null}
              {isOver(row, today) ? (
                <Text size="xs" className="muted">
                  Ended
                </Text>
              ) : null}
              {props.chips(row)}
            </Group>
            {props.rest(row)}
          </Entry>
        )}
      />
      {editing ? props.edit(editing === 'new' ? null : editing, () => setEditing(null)) : null}
      {ending ? props.end(ending, () => setEnding(null)) : null}
    </FacilityPart>
  );
}

type DatedProps<T> = {
  label: string;
  rows: T[];
  today: string;
  none: string;
  render: (row: T) => ReactNode;
};

/** Dated entries: current and future ones, and past ones on demand. */
function DatedEntries<T extends { to: string | null }>({ label, rows, today, none, render }: DatedProps<T>) {
  const [all, setAll] = useState(false);
  const ended = rows.filter((row) => isOver(row, today)).length;
  const visible = all ? rows : rows.filter((row) => !isOver(row, today));
  return (
    <Stack gap={6} align="stretch">
      {visible.length === 0 ? (
        <Text size="sm" className="muted">
          {none}
        </Text>
      ) : (
        <Entries label={label}>{visible.map(render)}</Entries>
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
