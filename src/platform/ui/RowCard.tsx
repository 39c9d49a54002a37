// A row of a list on a narrow screen: its name with its state beside it, and below it the most important details.
import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function RowCard({ name, state, children }: { name: ReactNode; state: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="start">
        {name}
        {state}
      </Group>
      <Text size="sm" className="muted tabular" component="div">
        {children}
      </Text>
    </Stack>
  );
}
