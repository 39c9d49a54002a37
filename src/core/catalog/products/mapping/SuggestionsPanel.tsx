// Suggests products for an item, best first, each with its score and reasons. The user can also pick another product or create one.
import { Anchor, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Named } from '#platform/shared/wire.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ProductSelect } from '../ProductSelect.tsx';
import type { NotMappedItem } from './mapping.contract.ts';
import classes from './mapping.module.css';
import { EXACT } from './score.ts';

type Props = {
  item: NotMappedItem;
  /** True while the server computes suggestions. */
  working: boolean;
  error: Error | null;
  chosen: number;
  busy: boolean;
  onMap: (product: Named) => void;
  onMake: () => void;
  onIgnore: () => void;
};

export function SuggestionsPanel({ item, working, error, chosen, busy, onMap, onMake, onIgnore }: Props) {
  const [other, setOther] = useState<Named | null>(null);
  const waits = !item.suggested && working && item.product === null;
  return (
    <Stack p="md" gap="sm">
      <div>
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {item.itemNumber}
        </Title>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {item.description}
        </Text>
      </div>
      {item.product ? (
        <div className={classes['suggestion']}>
          <Text size="sm">
            It is mapped to{' '}
            <Anchor component={Link} to={paths.product(item.product.id)}>
              {item.product.name}
            </Anchor>
            . {item.note}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            mt={6}
            disabled={busy}
            onClick={() => item.product && onMap(item.product)}
          >
            Still correct
          </Button>
        </div>
      ) : null}
      <ol className={classes['suggestions']} aria-label={`Products for ${item.itemNumber}`}>
        {item.suggestions.map(({ product, score, reasons }, index) => (
          <li key={product.id} className={classes['suggestion']} data-chosen={index === chosen || undefined}>
            <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
              <div style={{ minWidth: 0 }}>
                <Anchor
                  component={Link}
                  to={paths.product(product.id)}
                  size="sm"
                  fw={600}
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {product.name}
                </Anchor>
                <Text size="xs" className="muted">
                  {[product.brand, product.className, countOf(product.items, 'item')].filter(Boolean).join(' · ')}
                </Text>
              </div>
              <Chip tone={score >= EXACT ? 'green' : 'blue'}>{String(score)}</Chip>
            </Group>
            <ul className={classes['reasons']}>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            <Button
              size="compact-sm"
              variant={index === chosen ? 'filled' : 'default'}
              disabled={busy}
              aria-label={`Map to ${product.name}`}
              onClick={() => onMap(product)}
            >
              Map
            </Button>
          </li>
        ))}
      </ol>
      {waits || (item.suggestions.length === 0 && !item.product) ? (
        // As high as a suggestion, so that the content below hardly moves when the search ends.
        <Group gap="xs" role="status" mih={146} align="start">
          {waits ? <Loader size={14} aria-hidden /> : null}
          <Text size="sm" className="muted">
            {waits ? 'Looking for products…' : 'No product is similar.'}
          </Text>
        </Group>
      ) : null}
      <ErrorAlert error={error} title="Suggestions could not be loaded" />
      <Group align="end" gap="xs">
        <ProductSelect label="Another product" flex={1} miw={180} value={other} onChange={setOther} />
        <Button variant="default" disabled={!other || busy} onClick={() => other && onMap(other)}>
          Map
        </Button>
      </Group>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" disabled={busy} onClick={onMake}>
          New product
        </Button>
        <Button size="compact-sm" variant="default" disabled={busy} onClick={onIgnore}>
          Leave out…
        </Button>
      </Group>
    </Stack>
  );
}
