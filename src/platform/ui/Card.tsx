// A section of a page on a card, under a heading that is also its accessible name.
import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  /** Shows the title to screen readers only, because the content is clear without it. */
  hideTitle?: boolean;
  children: ReactNode;
};

export function Card({ title, hideTitle = false, children }: Props) {
  return (
    <section className="card" aria-label={title}>
      <Stack p="md" gap="sm">
        {hideTitle ? null : <Title order={2}>{title}</Title>}
        {children}
      </Stack>
    </section>
  );
}
