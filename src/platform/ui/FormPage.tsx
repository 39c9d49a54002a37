// A screen that is a form: heading and cards in the same width as all forms.
import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from './PageTitle.tsx';

export const FORM_WIDTH = 860;

type Props = {
  title: string;
  /** The link to the record's list. */
  back?: ReactNode;
  children: ReactNode;
  /** Content that helps to fill in the form: beside it on wide screens, below it on narrow ones. Null if there is nothing yet. */
  beside?: ReactNode;
};

export function FormPage({ title, back, children, beside }: Props) {
  const form = (
    <Stack p={{ base: 'sm', sm: 'md' }} gap="md" maw={FORM_WIDTH} w="100%">
      <PageTitle>{title}</PageTitle>
      <Stack gap={4}>
        {back}
        <Title order={1}>{title}</Title>
      </Stack>
      {children}
    </Stack>
  );
  return beside === undefined ? (
    form
  ) : (
    <div className="form-beside">
      {form}
      {beside ? <aside aria-label="Beside the form">{beside}</aside> : null}
    </div>
  );
}
