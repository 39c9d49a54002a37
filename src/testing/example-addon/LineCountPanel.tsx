import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useBoard } from '#core/quoting/quote-board/state/board.web.ts';
import { LineCount } from './line-count.contract.ts';

export default function LineCountPanel() {
  const { quote } = useBoard().data;
  const query = api(LineCount).CountLines.query({ quoteId: quote.id });
  const { data, error } = useQuery({ ...query, queryKey: [...query.queryKey, quote.version] });
  if (error) return <ErrorAlert error={error} title="The lines could not be counted" />;
  if (!data) return null;
  return (
    <section className="card" aria-labelledby="line-count-title">
      <Title order={2} id="line-count-title">
        Lines
      </Title>
      <Text size="sm">{`${data.lines} lines, ${data.pieces} pieces`}</Text>
    </section>
  );
}
