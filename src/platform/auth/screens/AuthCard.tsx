// The frame of the sign-in screens: a title over one narrow card with a focused field.
import { Box, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import classes from './AuthCard.module.css';

export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus(), []);
  return (
    <Box className={classes['place']}>
      <PageTitle>{title}</PageTitle>
      <Stack ref={card} className={`card ${classes['card']}`} gap="md">
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </Box>
  );
}
