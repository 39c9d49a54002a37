// The options of one group, from which the user chooses one or several. Each shows why it is blocked, what it needs, and its quantity.
import { Checkbox, Radio, Text } from '@mantine/core';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { ModelGroup, ModelOption } from '../configurable-models.contract.ts';
import type { Choices, Judgement } from '../rules/judge.ts';
import { limitInWords, type Model, quantityInWords } from '../rules/model.ts';
import classes from './choosing.module.css';

type Props = {
  model: Model;
  group: ModelGroup;
  choices: Choices;
  judged: Judgement;
  /** Shows missing choices in red after the user tried to finish. */
  showsMissing: boolean;
  onToggle: (optionId: number) => void;
  onQty: (optionId: number, qty: number) => void;
};

export function GroupChoices({ model, group, choices, judged, showsMissing, onToggle, onQty }: Props) {
  const chosen = new Map(choices.picks.map(({ optionId, qty }) => [optionId, qty]));
  const isOne = group.max === 1;
  const taken = group.options.find(({ id }) => chosen.has(id));
  const missing = judged.missing.filter(({ partId }) => partId === group.id);
  const limitId = `limit-${group.id}`;
  return (
    <fieldset className={classes['group']} id={`part-${group.id}`} tabIndex={-1} aria-describedby={limitId}>
      <legend>{group.name}</legend>
      <Text size="sm" id={limitId} className="muted">
        {limitInWords(group)}. {group.hint}
      </Text>
      {showsMissing && missing.length > 0 ? (
        <Text size="sm" c="red">
          {missing[0]?.message}
        </Text>
      ) : null}
      <div className={classes['options']}>
        {isOne && group.min === 0 ? (
          <Radio
            name={`group-${group.id}`}
            label="None"
            checked={!taken}
            onChange={() => {
              if (taken) onToggle(taken.id);
            }}
          />
        ) : null}
        {group.options.map((option) => {
          const isChosen = chosen.has(option.id);
          const blocked = judged.blocked.get(option.id) ?? '';
          const wrong = judged.missing.find(({ partId }) => partId === option.id)?.message;
          const words = {
            label: option.label,
            description: (
              <About model={model} option={option} blocked={blocked} needs={judged.needs.get(option.id) ?? ''} />
            ),
            error: isChosen ? wrong : undefined,
            disabled: !isChosen && blocked !== '',
            checked: isChosen,
            onChange: () => onToggle(option.id),
          };
          return (
            <div key={option.id} className={classes['option']} id={`part-${option.id}`} tabIndex={-1}>
              {isOne ? <Radio name={`group-${group.id}`} {...words} /> : <Checkbox {...words} />}
              {isChosen && option.quantity === 'asked' ? (
                <NumberField
                  w={140}
                  size="xs"
                  aria-label={`Quantity of ${option.label}`}
                  min={option.minQty}
                  max={option.maxQty ?? 9_999_999}
                  suffix={option.unit}
                  value={chosen.get(option.id) ?? option.qty}
                  onChange={(qty) => onQty(option.id, qty)}
                />
              ) : null}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

type AboutProps = { model: Model; option: ModelOption; blocked: string; needs: string };

/** The item and its quantity, followed by why the option cannot be chosen, or else by what it needs. */
function About({ model, option, blocked, needs }: AboutProps) {
  const isPlain = option.itemNumber === '' && option.quantity === 'fixed';
  const item = [option.itemNumber, option.itemDescription].filter(Boolean).join(' ');
  return (
    <>
      {isPlain ? null : [item, quantityInWords(model, option)].filter(Boolean).join(' · ')}
      {blocked ? (
        <span className={classes['reason']}>{blocked}</span>
      ) : needs ? (
        <span className={classes['reason']}>{needs}.</span>
      ) : null}
    </>
  );
}
