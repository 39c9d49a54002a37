// Shows, hides, moves and resizes the columns of the lines, by mouse and by keyboard.
import { ActionIcon, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconMinus, IconPlus } from '@tabler/icons-react';
import { useBoardLayout } from '../../layout/layout.web.ts';
import { placedColumns, WIDEST, withColumn, withMoved } from '../../layout/columns.ts';

const STEP = 16;

export function ColumnsPanel({ internal }: { internal: boolean }) {
  const { layout, change, reset } = useBoardLayout();
  const columns = placedColumns(layout, internal);
  const keys = columns.map(({ key }) => key);
  return (
    <>
      <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {columns.map((column, index) => {
          const width = column.chosenWidth ?? widthNow(column);
          const wider = (by: number) =>
            change(withColumn(layout, column.key, { width: Math.min(WIDEST, Math.max(column.least, width + by)) }));
          return (
            <Group key={column.key} component="li" gap={2} wrap="nowrap" justify="space-between" p={0}>
              <Checkbox
                size="xs"
                label={column.title}
                checked={!column.hidden}
                disabled={!column.hideable}
                onChange={(event) => change(withColumn(layout, column.key, { hidden: !event.currentTarget.checked }))}
              />
              <Group gap={2} wrap="nowrap">
                <Step label={`Make ${column.title} narrower`} off={width <= column.least} onClick={() => wider(-STEP)}>
                  <IconMinus size={14} />
                </Step>
                <Text size="xs" className="muted tabular" w={28} ta="right">
                  {width}
                </Text>
                <Step label={`Make ${column.title} wider`} off={width >= WIDEST} onClick={() => wider(STEP)}>
                  <IconPlus size={14} />
                </Step>
                <Step
                  label={`Move ${column.title} left`}
                  off={index === 0}
                  onClick={() => change(withMoved(layout, keys, column.key, -1))}
                >
                  <IconChevronUp size={14} />
                </Step>
                <Step
                  label={`Move ${column.title} right`}
                  off={index === columns.length - 1}
                  onClick={() => change(withMoved(layout, keys, column.key, 1))}
                >
                  <IconChevronDown size={14} />
                </Step>
              </Group>
            </Group>
          );
        })}
      </Stack>
      <Button mt="xs" size="compact-sm" variant="default" disabled={layout.columns.length === 0} onClick={reset}>
        Reset
      </Button>
    </>
  );
}

/** A column that nobody has resized is as wide as its figures need. */
function widthNow({ key, width }: { key: string; width: number }): number {
  const heading = document.querySelector<HTMLElement>(`[role="columnheader"][data-column="${key}"]`);
  return heading ? Math.round(heading.offsetWidth) : width;
}

type StepProps = { label: string; off: boolean; onClick: () => void; children: React.ReactNode };

/** The button stays focusable at the end of its range, so that the focus does not jump. */
function Step({ label, off, onClick, children }: StepProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      aria-disabled={off}
      data-disabled={off || undefined}
      onClick={off ? undefined : onClick}
    >
      {children}
    </ActionIcon>
  );
}
