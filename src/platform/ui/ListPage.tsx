// A screen that is a list: heading, actions, filters, count, export, and the list itself.
import { Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ExportButton, ExportError } from './Export.tsx';
import { AllAtOnce } from './all-at-once.tsx';
import { useKeys } from './keys.tsx';
import { ListTools, type ListToolsProps } from './list-tools.tsx';
import classes from './list-page.module.css';
import { PageTitle } from './PageTitle.tsx';

type Props = {
  title: string;
  /** One sentence on the purpose of the list. */
  hint?: ReactNode;
  /** Links to the lists beside this one. */
  siblingLists?: ReactNode;
  /** Buttons beside the heading. The only filled button is the next step. */
  actions?: ReactNode;
  filters: ReactNode;
  /** ['user', 'users'] */
  noun: [one: string, many: string];
  total: number | undefined;
  /** The list has more than `total` records. The rest was not counted. */
  more?: boolean;
  /** Exports all matching records. */
  exported?: { mutate: () => void; isPending: boolean; error: Error | null; reset: () => void };
  /** Shown above the list until dismissed, such as a failure. */
  alert?: ReactNode;
  /** The DataList. */
  children: ReactNode;
} & ListToolsProps;

export function ListPage({
  title,
  hint,
  siblingLists,
  actions,
  filters,
  noun,
  total,
  more,
  exported,
  alert,
  countOf,
  children,
}: Props) {
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>{title}</PageTitle>
      <AllAtOnce
        screen={title}
        first={
          <Title order={1} px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
            {title}
          </Title>
        }
      >
        <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} gap="xs">
          <div>
            <Title order={1}>{title}</Title>
            {hint ? (
              <Text size="sm" className="muted">
                {hint}
              </Text>
            ) : null}
          </div>
          <Group gap="xs">
            <ListTools countOf={countOf} />
            {actions}
          </Group>
        </Group>
        {siblingLists}
        {alert}
        <section className="card" aria-label={title}>
          <Group px="md" py="xs" justify="space-between" gap="sm">
            <Group gap="sm" align="end" className={classes['filters']}>
              {filters}
            </Group>
            <Group gap="sm" className={classes['count']}>
              {total === undefined ? null : (
                <Text size="sm" className="muted tabular" role="status">
                  {more ? 'More than ' : ''}
                  {total.toLocaleString('en-US')} {total === 1 ? noun[0] : noun[1]}
                </Text>
              )}
              {exported ? <ExportButton exported={exported} onExport={() => exported.mutate()} total={total} /> : null}
            </Group>
          </Group>
          {exported ? <ExportError exported={exported} /> : null}
          <div style={{ borderTop: '1px solid var(--app-line)' }}>{children}</div>
        </section>
      </AllAtOnce>
    </Stack>
  );
}

/** A text filter that searches when the user stops typing. `/` focuses it. */
export function KeywordField(props: { label: string; value: string; onChange: (value: string) => void; w?: number }) {
  const { label, value, onChange, w = 240 } = props;
  const [typed, setTyped] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const request = useRef(value);
  const ask = useDebouncedCallback((text: string) => {
    request.current = text;
    onChange(text);
  }, 300);
  // A value other than the last searched one comes from the address: the back button, or stored filters.
  useEffect(() => {
    if (value !== request.current) setTyped(value);
    request.current = value;
  }, [value]);
  useKeys([{ key: '/', label, run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      data-search
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      w={w}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        ask(event.currentTarget.value.trim());
      }}
    />
  );
}
