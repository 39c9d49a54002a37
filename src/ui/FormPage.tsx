// A screen that is a form: heading and cards in the one width of all forms.
import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from './PageTitle.tsx';

export const FORM_WIDTH = 860;

/** `back` is the link to the record's list. */
export function FormPage({ title, back, children }: { title: string; back?: ReactNode; children: ReactNode }) {
  return (
    <Stack p={{ base: 'sm', sm: 'md' }} gap="md" maw={FORM_WIDTH}>
      <PageTitle>{title}</PageTitle>
      <Stack gap={4}>
        {back}
        <Title order={1}>{title}</Title>
      </Stack>
      {children}
    </Stack>
  );
}
