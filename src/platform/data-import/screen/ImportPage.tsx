// A page for importing files: its title and a description of the files, the import, and its history.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';

export function ImportPage({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>{title}</PageTitle>
      <div>
        <Title order={1} px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
          {title}
        </Title>
        <Text size="sm" className="muted" px={{ base: 'md', sm: 0 }}>
          {hint}
        </Text>
      </div>
      <AllAtOnce screen={title}>{children}</AllAtOnce>
    </Stack>
  );
}
