// A quote number as a link to the quote's board.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';

export function QuoteLink({ id, number }: { id: number; number: string }) {
  return (
    <Anchor component={Link} to={paths.internalBoard(id)} fw={600} size="sm" className="tabular">
      {number}
    </Anchor>
  );
}
