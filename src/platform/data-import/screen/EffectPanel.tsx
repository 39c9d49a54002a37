// Shows what a checked file would do to quotes, in money, before it is applied.
import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import type { ImportView, QuoteEffect } from '../data-import.contract.ts';

type Part = QuoteEffect['kinds'][number];

export function EffectPanel({ view }: { view: ImportView }) {
  const { effect } = view;
  if (!effect || view.state !== 'Checked') return null;
  return (
    <section aria-label="Effect on quotes">
      <Title order={3} size="h6" mb="xs">
        Effect on quotes
      </Title>
      {effect.state === 'working' ? (
        <Group gap="xs" role="status">
          <Loader size={16} />
          <Text size="sm">Working it out. You can apply the file without waiting for it.</Text>
        </Group>
      ) : effect.of === null ? (
        <Text size="sm" role="status">
          The effect on quotes could not be worked out. The check itself stands; check the file again to retry.
        </Text>
      ) : (
        <Worked of={effect.of} held={view.report?.held ?? 0} accepted={view.accepted} />
      )}
    </section>
  );
}

function Worked({ of, held, accepted }: { of: QuoteEffect; held: number; accepted: number }) {
  const left = held - accepted;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {of.open + of.sent === 0 ? 'No open quote changes.' : `${effectInWords(of)}.`}
      </Text>
      {of.kinds.map((part) => (
        <Group key={`${part.kind} ${part.currnIdx}`} gap="sm">
          <Chip tone="blue">{part.kind}</Chip>
          <Text size="sm" className="tabular">
            {partInWords(part)}
          </Text>
        </Group>
      ))}
      <Text size="xs" className="muted">
        New prices less quoted ones, today or when they begin. What was sent stays as it is.
        {held > 0
          ? ` Of the held rows, the ${countOf(accepted, 'accepted one counts', 'accepted ones count')} and ${countOf(left, 'other does', 'others do')} not.`
          : ''}
      </Text>
    </Stack>
  );
}

/** '3 open quotes change by +$12.00, 1 sent quote would by −$4.00.' */
function effectInWords({ open, sent, kinds }: QuoteEffect): string {
  const sum = (of: 'openMoney' | 'sentMoney') => {
    const byCurrency = new Map<number, number>();
    for (const part of kinds) byCurrency.set(part.currnIdx, (byCurrency.get(part.currnIdx) ?? 0) + part[of]);
    const all = [...byCurrency].filter(([, value]) => value !== 0).map(([index, value]) => signedAmount(value, index));
    return all.join(' and ') || formatAmount(0, kinds[0]?.currnIdx);
  };
  return [
    ...(open > 0 ? [`${countOf(open, 'open quote')} ${open === 1 ? 'changes' : 'change'} by ${sum('openMoney')}`] : []),
    ...(sent > 0 ? [`${countOf(sent, 'sent quote')} would change by ${sum('sentMoney')}`] : []),
  ].join(', ');
}

function partInWords({ open, sent, openMoney, sentMoney, currnIdx }: Part): string {
  return [
    ...(open > 0 ? [`${countOf(open, 'open quote')}: ${signedAmount(openMoney, currnIdx)}`] : []),
    ...(sent > 0 ? [`${countOf(sent, 'sent quote')}: ${signedAmount(sentMoney, currnIdx)}`] : []),
  ].join(' · ');
}
