// One picture in its place: the image, the roles that do not see it, and its actions.
import { ActionIcon, Checkbox, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconDots, IconEyeOff } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import type { PlacedPicture } from './gallery.contract.ts';
import { viewerWords } from './gallery-words.ts';
import classes from './gallery.module.css';

export type TileAction = 'open' | 'tick' | 'main' | 'earlier' | 'later' | 'hide' | 'remove';

type Props = {
  picture: PlacedPicture;
  at: number;
  count: number;
  ticked: boolean;
  onAct: (action: TileAction) => void;
  /** Called when a key is pressed while the picture itself has the focus. */
  onKeyDown: (event: KeyboardEvent) => void;
};

export function PictureTile({ picture, at, count, ticked, onAct, onKeyDown }: Props) {
  const { id, name, alt, hiddenRoles, alsoOn } = picture;
  const facts = [
    hiddenRoles.length > 0 ? `hidden from ${viewerWords(hiddenRoles)}` : '',
    alt ? '' : 'no alternative text',
    alsoOn > 0 ? `also on ${countOf(alsoOn, 'other product')}` : '',
  ].filter(Boolean);
  return (
    <li className={classes['tile']} data-place={id} data-ticked={ticked || undefined} draggable>
      <UnstyledButton
        className={classes['picture']}
        data-tile={id}
        aria-label={`${name}, picture ${at + 1} of ${count}${facts.length > 0 ? `, ${facts.join(', ')}` : ''}`}
        onClick={() => onAct('open')}
        onKeyDown={onKeyDown}
      >
        <Shown picture={picture} />
      </UnstyledButton>
      <Checkbox
        className={classes['tick']}
        aria-label={`Select ${name}`}
        checked={ticked}
        tabIndex={-1}
        onChange={() => onAct('tick')}
      />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon className={classes['more']} variant="default" size="md" aria-label={`More for ${name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAct('open')}>Text and visibility</Menu.Item>
          <Menu.Item onClick={() => onAct('main')} disabled={at === 0}>
            Make it the main picture
          </Menu.Item>
          <Menu.Item onClick={() => onAct('earlier')} disabled={at === 0}>
            Move earlier
          </Menu.Item>
          <Menu.Item onClick={() => onAct('later')} disabled={at === count - 1}>
            Move later
          </Menu.Item>
          <Menu.Item onClick={() => onAct('hide')}>Hide from roles…</Menu.Item>
          <Menu.Item onClick={() => onAct('remove')}>Remove from this product</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <div className={classes['caption']}>
        <Group gap={4} wrap="nowrap" justify="space-between">
          <Text size="xs" truncate title={name}>
            {name}
          </Text>
          {at === 0 ? <Chip tone="green">Main</Chip> : null}
        </Group>
        <Text size="xs" className="muted" truncate title={facts.join(', ')}>
          {hiddenRoles.length > 0 ? <IconEyeOff size={12} aria-hidden style={{ verticalAlign: '-1px' }} /> : null}{' '}
          {facts[0] ?? alt}
        </Text>
      </div>
    </li>
  );
}

function Shown({ picture: { url, alt, name } }: { picture: PlacedPicture }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!url) return <Text size="xs">Hidden from your role</Text>;
  if (broken === url) return <Text size="xs">This picture could not be loaded.</Text>;
  return (
    <img
      src={url}
      alt={alt || name}
      width={240}
      height={240}
      loading="lazy"
      draggable={false}
      onError={() => setBroken(url)}
    />
  );
}
