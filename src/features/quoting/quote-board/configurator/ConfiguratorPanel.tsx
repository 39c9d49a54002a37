// The door to the items that configurators left for the quote; shown when something waits or a configurator is connected.
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { QuoteConfigurator } from '#features/quoting/configurator/configurator.contract.ts';
import { useAddress } from '#ui/address.web.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { useBoard } from '../state/board.web.ts';
import { ConfiguratorDialog } from './ConfiguratorDialog.tsx';

export function ConfiguratorPanel() {
  const { data } = useBoard();
  const navigate = useNavigate();
  // Who comes from choosing options goes on here.
  const isAsked = useAddress()['open'] === 'configurator';
  const [isOpen, setOpen] = useState(isAsked);
  const close = () => {
    setOpen(false);
    if (isAsked) void navigate({ to: '.', search: {}, replace: true });
  };
  const found = useQuery({
    ...api(QuoteConfigurator).GetDmsConfiguratorItems.query({ quoteId: data.quote.id }),
    staleTime: 0,
  });
  if (found.error) return <ErrorAlert error={found.error} title="The configurator's items could not be read" />;
  if (!found.data) return null;
  const { configurations, items, url, editable } = found.data;
  if (configurations.length === 0 && url === null) return null;
  const count = items.filter(({ change }) => change !== 'same').length;
  return (
    <section className="card" aria-labelledby="configurator-title">
      <Stack p="sm" gap="xs">
        <Title order={2} id="configurator-title">
          Configurator
        </Title>
        <Text size="sm" className={count > 0 ? undefined : 'muted'}>
          {configurations.length === 0
            ? 'Nothing was configured for this quote yet.'
            : count === 0
              ? 'The lines are as they were configured.'
              : `${count === 1 ? '1 item differs' : `${count.toLocaleString('en-US')} items differ`} from the quote.`}
        </Text>
        <Group gap="sm">
          {configurations.length > 0 ? (
            <Button
              size="compact-sm"
              variant={count > 0 && editable ? 'light' : 'default'}
              onClick={() => setOpen(true)}
            >
              Configurator items
            </Button>
          ) : null}
          {url === null ? null : (
            <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
              Open the configurator
            </Anchor>
          )}
        </Group>
      </Stack>
      {isOpen && configurations.length > 0 ? (
        <ConfiguratorDialog found={found.data} readAgain={() => found.refetch()} onClose={close} />
      ) : null}
    </section>
  );
}
