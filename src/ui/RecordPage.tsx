// The page of one record: the way back to its list, its name, a copy of it, and its parts below.
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorAlert } from './ErrorAlert.tsx';
import { PageTitle } from './PageTitle.tsx';

type Props = {
  back: { to: string; label: string };
  title: string;
  /** A line below the title. */
  about: string;
  /** Makes another record of it; null: there is nothing to copy yet. */
  copy: { label: string; failed: string; isPending: boolean; error: Error | null; run: () => void } | null;
  /** Why there is nothing to show, and what it is called then. */
  missing: { error: Error | null; title: string };
  /** Null: it is being read, or could not be. */
  children: ReactNode;
};

export function RecordPage({ back, title, about, copy, missing, children }: Props) {
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={back.to} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ {back.label}
      </Anchor>
      <PageTitle>{title}</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }}>
        <div>
          <Title order={1}>{title}</Title>
          {about ? (
            <Text size="sm" className="muted">
              {about}
            </Text>
          ) : null}
        </div>
        {copy ? (
          <Button variant="default" loading={copy.isPending} onClick={copy.run}>
            {copy.label}
          </Button>
        ) : null}
      </Group>
      {copy ? <ErrorAlert error={copy.error} title={copy.failed} /> : null}
      {children ??
        (missing.error ? (
          <ErrorAlert error={missing.error} title={missing.title} />
        ) : (
          <Skeleton height={400} aria-label="Loading" />
        ))}
    </Stack>
  );
}
