// One picture in the inbox: the image, its possible products, its problem, and the next step.
import { ActionIcon, Anchor, Button, Checkbox, Group, Loader, Text, UnstyledButton } from '@mantine/core';
import { IconPhoto, IconRotateClockwise, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import type { PictureRow } from '../../pictures.contract.ts';
import classes from './inbox.module.css';
import { ACTION_LABELS, type Action, ACTIONS, needOf, STEP_WORDS, stageOf } from './inbox-words.web.ts';

type Props = {
  picture: PictureRow;
  chosen: boolean;
  busy: boolean;
  onChoose: (chosen: boolean) => void;
  onAct: (action: Action, productId?: number) => void;
  onOpen: () => void;
};

export function PictureCard({ picture, chosen, busy, onChoose, onAct, onOpen }: Props) {
  const { name, url, version, product, problem, step, sources } = picture;
  const stage = stageOf(picture);
  const may = stage ? ACTIONS[stage] : [];
  const mark = needOf(picture);
  const others = sources.filter((source) => source !== name).length;
  return (
    <li className={classes['picture']} data-chosen={chosen || undefined}>
      <Checkbox
        data-picture={picture.id}
        aria-label={`Select ${name}`}
        checked={chosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <UnstyledButton className={classes['thumb']} aria-label={`Open ${name}`} onClick={onOpen}>
        {url ? (
          <img src={`${url}&v=${version}`} alt="" width={64} height={64} loading="lazy" />
        ) : (
          <IconPhoto size={24} color="#868e96" aria-hidden />
        )}
      </UnstyledButton>
      <div style={{ minWidth: 0 }}>
        <Group justify="space-between" wrap="nowrap" gap="xs" align="start">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Chip tone={mark.tone}>{mark.word}</Chip>
        </Group>
        <Text size="xs" className="muted">
          {[
            picture.width ? `${picture.width} × ${picture.height}` : '',
            picture.createdBy || (picture.inInbox ? 'from the watched inbox' : ''),
            others > 0 ? `received ${others + 1} times` : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {product ? (
          <Anchor component={Link} to={paths.product(product.id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {product.name}
          </Anchor>
        ) : null}
        {problem ? (
          <Text
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
            {...(stage === 'waiting' ? { className: 'warning' } : { c: 'var(--mantine-color-error)' })}
          >
            {problem}
          </Text>
        ) : null}
        {stage === 'waiting' && !product ? <Candidates picture={picture} busy={busy} onAct={onAct} /> : null}
        {step ? (
          <Group gap={6} mt={4}>
            <Loader size={12} aria-hidden />
            <Text size="xs" className="muted">
              {STEP_WORDS[step]}
            </Text>
          </Group>
        ) : null}
        <Group gap={6} mt={6}>
          <NextStep picture={picture} busy={busy} onAct={onAct} />
          {may.includes('rotate') ? (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Rotate ${name} right`}
              title="Rotate right"
              disabled={busy}
              onClick={() => onAct('rotate')}
            >
              <IconRotateClockwise size={16} />
            </ActionIcon>
          ) : null}
          {may.includes('refuse') ? (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Refuse ${name}`}
              title="Refuse"
              disabled={busy}
              onClick={() => onAct('refuse')}
            >
              <IconX size={16} />
            </ActionIcon>
          ) : null}
        </Group>
      </div>
    </li>
  );
}

type Part = Pick<Props, 'picture' | 'busy' | 'onAct'>;

/** The products that the file name may mean, numbered by the keys that choose them. */
export function choicesOf({ candidates }: Pick<PictureRow, 'candidates'>) {
  const choices = new Map<number, { productId: number; name: string; items: string[] }>();
  for (const { productId, productName, itemNumber } of candidates) {
    if (productId === null) continue;
    const known = choices.get(productId);
    if (known) known.items.push(itemNumber);
    else choices.set(productId, { productId, name: productName, items: [itemNumber] });
  }
  return [...choices.values()];
}

function Candidates({ picture, busy, onAct }: Part) {
  const choices = choicesOf(picture);
  const bare = picture.candidates.filter(({ productId }) => productId === null);
  return (
    <>
      {choices.map(({ productId, name, items }, index) => (
        <UnstyledButton
          key={productId}
          className={classes['candidate']}
          mt={4}
          disabled={busy}
          onClick={() => onAct('assign', productId)}
        >
          <b className="tabular">{index < 9 ? `${index + 1} ` : ''}</b>
          {name} <span className="muted tabular">{items.join(', ')}</span>
        </UnstyledButton>
      ))}
      {bare.map(({ itemId, itemNumber, description }) => (
        <Text size="xs" key={itemId} mt={4} style={{ overflowWrap: 'anywhere' }}>
          <Anchor
            component={Link}
            to={`${paths.itemMapping}?keyword=${encodeURIComponent(itemNumber)}`}
            size="xs"
            underline="always"
          >
            Map {itemNumber}
          </Anchor>{' '}
          <span className="muted">{description}</span>
        </Text>
      ))}
    </>
  );
}

function NextStep({ picture, busy, onAct }: Part) {
  const { name, product, state, step } = picture;
  const button = (action: Action, label = ACTION_LABELS[action]) => (
    <Button
      size="compact-xs"
      variant="default"
      disabled={busy}
      aria-label={`${label}: ${name}`}
      onClick={() => onAct(action)}
    >
      {label}
    </Button>
  );
  if (state === 'Waiting')
    return product ? (
      button('upload')
    ) : (
      <>
        {button('assign')}
        {picture.candidates.length > 0 ? null : button('retry', 'Check again')}
      </>
    );
  if (state === 'Failed') return button('retry');
  if (state === 'Uploaded' && step === '') return product ? button('file') : button('assign');
  return state === 'Refused' || state === 'Removed' ? button('restore') : null;
}
