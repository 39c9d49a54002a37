// The panel that chooses the options of a model: groups, why an option is blocked, what is missing, and the resulting items.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { paths } from '#platform/shared/paths.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { LeaveGuard } from '#platform/ui/LeaveGuard.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { type Choices, judge, toggled } from '../rules/judge.ts';
import { optionsOf } from '../rules/model.ts';
import classes from './choosing.module.css';
import { QuoteConfigurations } from './choosing.contract.ts';
import { GroupChoices } from './GroupChoices.tsx';
import { RunningList } from './RunningList.tsx';

type Props = {
  quoteId: number;
  configId: string;
  opened: OutputOf<typeof QuoteConfigurations.GetQuoteConfiguration>;
  onReload: () => void;
};

export function ChoosingPanel({ quoteId, configId, opened, onReload }: Props) {
  const { model, configuration, modelChanged } = opened;
  const navigate = useNavigate();
  const start = { name: configuration?.name ?? model.name, sets: configuration?.sets ?? 1, picks: opened.picks };
  const [before] = useState(start);
  const [readVersion, setReadVersion] = useState(configuration?.version);
  const [name, setName] = useState(start.name);
  const [choices, setChoices] = useState<Choices>({ sets: start.sets, picks: start.picks });
  const [tried, setTried] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const judged = useMemo(() => judge(model, choices), [model, choices]);
  const known = useMemo(() => optionsOf(model), [model]);
  const gone = choices.picks.filter(({ optionId }) => !known.has(optionId));

  const done = (message: string) => {
    notifications.show({ message });
    setIsDone(true);
  };
  const save = useMutation({
    ...api(QuoteConfigurations).SaveQuoteConfiguration.mutation(),
    meta: { blocking: true },
    onSuccess: ({ items }) => done(`${items} ${items === 1 ? 'item is' : 'items are'} ready for the quote.`),
  });
  const isDirty =
    name !== before.name || JSON.stringify(choices) !== JSON.stringify({ sets: before.sets, picks: before.picks });
  useUnsaved(isDirty && !isDone);
  // Navigates in an effect, because typed input is unsaved until the render after the save. The board then shows the effect on the lines.
  const goBack = useEffectEvent(
    () => void navigate({ to: paths.publicBoard(quoteId), search: { open: 'configurator' } }),
  );
  useEffect(() => {
    if (isDone) goBack();
  }, [isDone]);
  const saveOnce = useOnce(save.mutateAsync);
  const isNamed = name.trim() !== '';
  const finish = () => {
    setTried(true);
    if (judged.missing.length > 0 || !isNamed || model.problem) return;
    saveOnce({
      quoteId,
      configId,
      name,
      modelId: model.id,
      modelVersion: model.version,
      sets: choices.sets,
      picks: [...choices.picks],
      ...(configuration ? { version: configuration.version } : {}),
    });
  };
  const isStale = save.error instanceof HttpError && save.error.status === 409;
  return (
    <Form label="Configuration" onSubmit={finish}>
      <div className={classes['page']}>
        <Stack gap="md" miw={0}>
          {model.problem ? (
            <Text size="sm" c="red">
              {model.problem}
            </Text>
          ) : null}
          {modelChanged ? (
            <Text size="sm">
              {model.name} has changed since these options were chosen. Check for missing choices before you continue.
            </Text>
          ) : null}
          {configuration && configuration.version !== readVersion ? (
            <ChangedByOther
              changedBy={configuration.changedBy}
              onTake={() => {
                setName(start.name);
                setChoices({ sets: start.sets, picks: start.picks });
                setReadVersion(configuration.version);
              }}
            />
          ) : null}
          <NameAndSets
            name={name}
            sets={choices.sets}
            error={tried && !isNamed ? 'This field is required' : undefined}
            onName={setName}
            onSets={(sets) => setChoices({ ...choices, sets })}
          />
          {model.groups.map((group) => (
            <GroupChoices
              key={group.id}
              model={model}
              group={group}
              choices={choices}
              judged={judged}
              showsMissing={tried}
              onToggle={(id) => setChoices(toggled(model, choices, id))}
              onQty={(id, qty) =>
                setChoices({
                  ...choices,
                  picks: choices.picks.map((pick) => (pick.optionId === id ? { ...pick, qty } : pick)),
                })
              }
            />
          ))}
        </Stack>
        <aside className={classes['list']} aria-label="Result of the choices">
          <RunningList
            judged={judged}
            gone={gone.length}
            onTakeAway={() => setChoices({ ...choices, picks: choices.picks.filter((pick) => !gone.includes(pick)) })}
            onChoose={(id) => setChoices(toggled(model, choices, id))}
            labelOf={(id) => known.get(id)?.option.label ?? ''}
          />
          <ErrorAlert error={save.error} title="The items could not be added">
            {isStale ? (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  save.reset();
                  onReload();
                }}
              >
                Reload
              </Button>
            ) : null}
          </ErrorAlert>
          <Group className={classes['buttons']} gap="xs">
            {configuration ? (
              <Button variant="subtle" color="gray" onClick={() => setRemoving(true)}>
                Remove…
              </Button>
            ) : null}
            <Button type="submit" loading={save.isPending} disabled={model.problem !== ''}>
              {configuration ? 'Update quote' : 'Add to quote'}
            </Button>
          </Group>
        </aside>
      </div>
      {removing && configuration ? (
        <RemoveConfiguration
          quoteId={quoteId}
          configId={configId}
          configuration={configuration}
          onRemoved={() => done(`${start.name} was removed. Its lines are still on the quote.`)}
          onClose={() => setRemoving(false)}
        />
      ) : null}
      <LeaveGuard />
    </Form>
  );
}

type NameAndSetsProps = {
  name: string;
  sets: number;
  /** The error of the name. */
  error: string | undefined;
  onName: (name: string) => void;
  onSets: (sets: number) => void;
};

function NameAndSets({ name, sets, error, onName, onSets }: NameAndSetsProps) {
  return (
    <Group align="start" grow preventGrowOverflow={false}>
      <TextInput
        miw={220}
        label="Name"
        description="Title of its section on the quote"
        required
        maxLength={200}
        value={name}
        error={error}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <NumberField
        maw={180}
        label="Sets"
        description="Number of complete sets"
        required
        min={1}
        max={9_999_999}
        decimals={0}
        value={sets}
        onChange={onSets}
      />
    </Group>
  );
}

type RemoveProps = {
  quoteId: number;
  configId: string;
  configuration: NonNullable<Props['opened']['configuration']>;
  onRemoved: () => void;
  onClose: () => void;
};

function RemoveConfiguration({ quoteId, configId, configuration, onRemoved, onClose }: RemoveProps) {
  const remove = useMutation({
    ...api(QuoteConfigurations).RemoveQuoteConfiguration.mutation(),
    onSuccess: onRemoved,
  });
  return (
    <ConfirmDialog
      title={`Remove ${configuration.name}?`}
      action="Remove"
      harmful
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ quoteId, configId, version: configuration.version })}
      onClose={onClose}
    >
      This deletes its choices. Its lines stay on the quote until someone removes them. Until then, the configurator
      items list them as removed.
    </ConfirmDialog>
  );
}

function ChangedByOther({ changedBy, onTake }: { changedBy: string; onTake: () => void }) {
  return (
    <Group gap="xs" role="status">
      <Text size="sm">
        {changedBy} changed this configuration while you were editing it. Your choices are still shown.
      </Text>
      <Button size="compact-sm" variant="default" onClick={onTake}>
        Use theirs
      </Button>
    </Group>
  );
}
