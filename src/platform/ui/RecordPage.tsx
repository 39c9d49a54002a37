// The page of one record: a link back to its list, its name, a copy button, and its parts below.
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from './Card.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import { PageTitle } from './PageTitle.tsx';

type Props = {
  back: { to: string; label: string };
  title: string;
  /** A line below the title. */
  about: string;
  /** Copies the record. Null if there is nothing to copy yet. */
  copy: { label: string; failed: string; isPending: boolean; error: Error | null; run: () => void } | null;
  /** The error and the title to show when the record cannot be shown. */
  missing: { error: Error | null; title: string };
  /** The kind of record, as the title of the card with the form. */
  label: string;
  /** Null for a new record, which has no history. */
  history: ReactNode;
  /** The form. Null while the record loads, or if it cannot be read. */
  children: ReactNode;
};

export function RecordPage({ back, title, about, copy, missing, label, history, children }: Props) {
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
      {children ? (
        <Card title={label} hideTitle>
          {children}
        </Card>
      ) : missing.error ? (
        <ErrorAlert error={missing.error} title={missing.title} />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
      {children && history ? <Card title="History">{history}</Card> : null}
    </Stack>
  );
}
