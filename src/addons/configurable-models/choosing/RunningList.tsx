// Shows the result of the choices so far: what is missing, and the items with their quantities.
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import type { Judgement } from '../rules/judge.ts';
import { formatQuantity } from '../rules/model.ts';
import classes from './choosing.module.css';

type Props = {
  judged: Judgement;
  /** The number of choices whose options are no longer in the model. */
  gone: number;
  onTakeAway: () => void;
  onChoose: (optionId: number) => void;
  labelOf: (optionId: number) => string;
};

/** The group itself shows the rest. */
const MAX_OFFERED = 3;

export function RunningList({ judged, gone, onTakeAway, onChoose, labelOf }: Props) {
  const { missing, items } = judged;
  return (
    <>
      <Title order={2} size="h5">
        {missing.length === 0 ? 'Complete' : `${missing.length} ${missing.length === 1 ? 'issue' : 'issues'} to fix`}
      </Title>
      <div role="status">
        {missing.length === 0 ? (
          <Text size="sm" className="muted">
            All rules are met.
          </Text>
        ) : (
          <ul className={classes['missing']} aria-label="Issues to fix">
            {missing.map(({ partId, message, fixedBy }) => (
              <li key={`${partId} ${message}`}>
                {partId === null ? (
                  message
                ) : (
                  <Anchor component="button" type="button" size="sm" ta="left" onClick={() => goTo(partId)}>
                    {message}
                  </Anchor>
                )}
                {fixedBy.length > 0 && fixedBy.length <= MAX_OFFERED ? (
                  <Group gap={4} mt={2}>
                    {fixedBy.map((id) => (
                      <Button key={id} size="compact-xs" variant="default" onClick={() => onChoose(id)}>
                        Choose {labelOf(id)}
                      </Button>
                    ))}
                  </Group>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </div>
      {gone > 0 ? (
        <Button size="compact-sm" variant="default" onClick={onTakeAway}>
          Remove unavailable choices
        </Button>
      ) : null}
      <Title order={2} size="h5">
        Items
      </Title>
      {items.length === 0 ? (
        <Text size="sm" className="muted">
          {' '}
          No items yet.{' '}
        </Text>
      ) : (
        <table className={classes['items']} aria-label="Items">
          <tbody>
            {items.map((item) => (
              <tr key={item.optionId}>
                <td>
                  <b className="tabular">{item.itemNumber}</b> {item.label}
                  {item.optionId === 0 && item.optionText ? <div className="muted">{item.optionText}</div> : null}
                </td>
                <td className="tabular">
                  {formatQuantity(item.qty)} {item.unit}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Scrolls to a group or an option, and focuses its first field. */
function goTo(partId: number) {
  const part = document.getElementById(`part-${partId}`);
  part?.scrollIntoView({ block: 'center' });
  (part?.querySelector<HTMLElement>('input:not(:disabled)') ?? part)?.focus({ preventScroll: true });
}
