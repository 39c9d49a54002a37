// The pictures of an item's product: one large, the others as thumbnails to choose from. A click enlarges the picture.
import { Group, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Thumbnail } from './ItemMarks.tsx';
import type { ItemPrices } from './items.contract.ts';
import classes from './items.module.css';

export function ItemPictures({ images, name }: { images: ItemPrices['item']['images']; name: string }) {
  const [chosen, setChosen] = useState(0);
  const [large, setLarge] = useState(false);
  const image = images[chosen];
  if (!image) return null;
  return (
    <div className={classes['pictures']} data-large={large || undefined}>
      <UnstyledButton
        aria-label={large ? 'Smaller picture' : 'Larger picture'}
        className={classes['picture']}
        onClick={() => setLarge(!large)}
      >
        <img src={large ? image.largeUrl : image.url} alt={image.alt || name} />
      </UnstyledButton>
      {images.length > 1 ? (
        <Group gap={4}>
          {images.map(({ id, thumbUrl }, index) => (
            <UnstyledButton
              key={id}
              aria-label={`Picture ${index + 1}`}
              aria-pressed={index === chosen}
              onClick={() => setChosen(index)}
            >
              <Thumbnail url={thumbUrl} size={36} />
            </UnstyledButton>
          ))}
        </Group>
      ) : null}
    </div>
  );
}
