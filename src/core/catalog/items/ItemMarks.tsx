// The marks of an item in lists: its picture, the NEW mark, its stars.
import { Badge, Group, Rating } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { ItemHit } from './items.contract.ts';
import classes from './items.module.css';

/** Keeps its size before and after the picture loads. Without a picture it shows an icon. */
export function Thumbnail({ url, size = 40 }: { url: string | null; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={classes['thumbnail']} style={{ width: size, height: size }}>
      {url && broken !== url ? (
        // The text beside the picture already names the item.
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(url)}
        />
      ) : (
        <IconPhotoOff size={size / 2.4} stroke={1.25} aria-hidden />
      )}
    </span>
  );
}

/** The ERP's description, with the product's name and any other number by which a search found the item. */
export function ItemName({ item }: { item: Pick<ItemHit, 'description' | 'productName'> & { foundBy?: string } }) {
  return (
    <>
      {item.description}
      {item.productName ? <span className="muted"> · {item.productName}</span> : null}
      {otherNumber(item.foundBy) ? <span className="muted"> · {otherNumber(item.foundBy)}</span> : null}
    </>
  );
}

/** The number that matched an item, if it is not our own. '' for our own number, which the list shows anyway. */
export function otherNumber(foundBy = ''): string {
  return foundBy === 'Item number' ? '' : foundBy;
}

/** NEW if the selling rank is NEW, and the numeric rank as stars. They are gray, because yellow ones look like reviews. */
export function SellingRank({ item }: { item: Pick<ItemHit, 'sellingRank' | 'sellingRankNum'> }) {
  return (
    <Group gap={6} wrap="nowrap">
      {item.sellingRank === 'NEW' ? (
        <Badge size="xs" color="#1b7a3d" variant="filled" radius="sm" flex="none">
          NEW
        </Badge>
      ) : null}
      {item.sellingRankNum > 0 ? (
        <Rating
          value={item.sellingRankNum}
          fractions={2}
          readOnly
          role="img"
          size="xs"
          color="var(--app-muted)"
          title={`Selling rank: ${item.sellingRankNum} of 5`}
          aria-label={`Selling rank: ${item.sellingRankNum} of 5 stars`}
        />
      ) : null}
    </Group>
  );
}

/**
 * The unit of a new line for a found item: that of the cross-reference, else the base unit. '' if the references disagree, so that the user chooses.
 */
export function firstUnit({ units, saidUnit }: Pick<ItemHit, 'units' | 'saidUnit'>): string {
  if (saidUnit === '') return units[0]?.unit ?? '';
  return units.find(({ unit }) => unit === saidUnit)?.unit ?? '';
}
