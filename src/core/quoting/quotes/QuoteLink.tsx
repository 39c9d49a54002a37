// The number of a quote as a link to its board.
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
