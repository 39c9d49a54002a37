// The page that configures a product for a quote, from a model or from earlier choices.
import { Anchor, Group, NavLink, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { newKey } from '#platform/shared/new-key.ts';
import { paths } from '#platform/shared/paths.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { ChoosingPanel } from './ChoosingPanel.tsx';
import { QuoteConfigurations } from './choosing.contract.ts';

type Search = { model?: string; config?: string };

export default function ConfigurePage() {
  const { id } = useParams({ strict: false });
  const quoteId = Number(id);
  const { model, config } = useAddress();
  const isChosen = Boolean(config) || Number(model) > 0;
  return (
    <Stack p={{ base: 'sm', sm: 'md' }} gap="md">
      {isChosen ? (
        <OpenConfiguration
          key={config ?? model}
          quoteId={quoteId}
          {...(config ? { configId: config } : { modelId: Number(model) })}
        />
      ) : (
        <Start quoteId={quoteId} />
      )}
    </Stack>
  );
}

function WayBack({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      ‹ {children}
    </Anchor>
  );
}

/** Lists the configurations of the quote, and the models that can be configured. */
function Start({ quoteId }: { quoteId: number }) {
  const navigate = useNavigate();
  const [keyword, setKeyword] = useState('');
  const query = useQuery({
    ...api(QuoteConfigurations).GetQuoteConfigurations.query({ quoteId, keyword }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const open = (search: Search) => void navigate({ to: paths.configureQuote(quoteId), search });
  const { data, error } = query;
  return (
    <>
      <PageTitle>{data ? `Configure for quote ${data.quoteNumber}` : 'Configure'}</PageTitle>
      <WayBack to={paths.publicBoard(quoteId)}>{data ? `Quote ${data.quoteNumber}` : 'Quote'}</WayBack>
      <div>
        <Title order={1}>Configure</Title>
        {data ? (
          <Text size="sm" className="muted">
            {[`Quote ${data.quoteNumber}`, data.facilityName].filter(Boolean).join(' · ')}
          </Text>
        ) : null}
      </div>
      {error ? <ErrorAlert error={error} title="The models could not be loaded" /> : null}
      {data?.locked ? <Text size="sm">{data.locked}</Text> : null}
      {data ? (
        <>
          {data.configurations.length > 0 ? (
            <section className="card" aria-labelledby="configured" style={CARD}>
              <Title order={2} size="h5" id="configured" mb="xs">
                Configured for this quote
              </Title>
              {data.configurations.map((configuration) => (
                <NavLink
                  key={configuration.configId}
                  component="button"
                  label={configuration.name}
                  description={`${configuration.sets.toLocaleString('en-US')} × ${configuration.modelName} · ${configuration.changedBy}, ${formatDate(configuration.changedAt)}`}
                  onClick={() => open({ config: configuration.configId })}
                />
              ))}
            </section>
          ) : null}
          <section className="card" aria-labelledby="models" style={CARD}>
            <Group justify="space-between" mb="xs">
              <Title order={2} size="h5" id="models">
                Available models
              </Title>
              <KeywordField label="Name or description" value={keyword} onChange={setKeyword} />
            </Group>
            {data.models.length === 0 ? (
              <Text className="muted" ta="center" py="md">
                {keyword ? 'No Record Found' : 'No models yet. An administrator can add them in Settings.'}
              </Text>
            ) : (
              data.models.map((model) => (
                <NavLink
                  key={model.id}
                  component="button"
                  disabled={data.locked !== ''}
                  label={model.name}
                  description={[model.description, countOf(model.options, 'option')].filter(Boolean).join(' · ')}
                  onClick={() => open({ model: String(model.id) })}
                />
              ))
            )}
          </section>
        </>
      ) : error ? null : (
        <Skeleton height={240} aria-label="Loading" />
      )}
    </>
  );
}

const CARD = { padding: 'var(--mantine-spacing-md)' };

type OpenProps = { quoteId: number; modelId?: number; configId?: string };

function OpenConfiguration({ quoteId, modelId, configId }: OpenProps) {
  // The page assigns one id to a new configuration, so that sending it twice creates it only once.
  const [newId] = useState(newKey);
  const query = api(QuoteConfigurations).GetQuoteConfiguration.query({
    quoteId,
    ...(configId ? { configId } : { modelId }),
  });
  const opened = useQuery({ ...query, ...READ_ANEW });
  const { data, error } = opened;
  const title = data ? (data.configuration?.name ?? data.model.name) : 'Configure';
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <WayBack to={paths.configureQuote(quoteId)}>Configure</WayBack>
      <div>
        <Title order={1}>{title}</Title>
        {data?.model.description ? (
          <Text size="sm" className="muted">
            {data.model.description}
          </Text>
        ) : null}
      </div>
      {data ? (
        <ChoosingPanel
          // After the page reloads the model, the choices on the screen apply to the new version.
          quoteId={quoteId}
          configId={data.configuration?.configId ?? newId}
          opened={data}
          onReload={() => void opened.refetch()}
        />
      ) : error ? (
        <ErrorAlert error={error} title="The configuration could not be loaded" />
      ) : (
        <Skeleton height={320} aria-label="Loading" />
      )}
    </>
  );
}
