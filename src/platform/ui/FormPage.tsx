// A screen that is a form: heading and cards in the one width of all forms.
import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from './PageTitle.tsx';

export const FORM_WIDTH = 860;

type Props = {
  title: string;
  /** The link to the record's list. */
  back?: ReactNode;
  children: ReactNode;
  /** What helps to fill the form in: beside it on a desk, below it on narrower screens. Null: nothing yet. */
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
