// A form field for one of our items, found as the user types its number or name.
import { Autocomplete, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ItemName } from './ItemMarks.tsx';
import { type ItemHit, ItemSearch, MIN_KEYWORD } from './items.contract.ts';

/** The items that a typed number may mean. `meant`: the item that the result for exactly this text identifies. */
export function useItemsByNumber(typed: string) {
  const number = typed.trim();
  const [request] = useDebouncedValue(number, 200);
  const isLong = request.length >= MIN_KEYWORD;
  const query = useQuery({
    ...api(ItemSearch).SearchItemByNumber.query({ number: request, hasRecentSaleOnly: false }),
    enabled: isLong,
    placeholderData: keepPreviousData,
  });
  const isAnswered = request === number && !query.isPlaceholderData;
  return {
    failure: isLong ? query.error?.message : undefined,
    hits: (isLong ? (query.data ?? []) : []).slice(0, 20),
    written: query.data?.find((candidate) => candidate.itemNumber === number),
    meant: isAnswered ? query.data?.find((candidate) => candidate.isMeant) : undefined,
  };
}

type Props = {
  label: string;
  hits: readonly ItemHit[];
  /** The item that the number identifies. */
  item: Pick<ItemHit, 'description'> | null | undefined;
  value: string;
  error: string | undefined;
  /** Why the search for items failed. */
  failure: string | undefined;
  onChange: (itemNumber: string) => void;
  'data-autofocus'?: true;
};

export function ItemByNumber({ hits, item, error, failure, ...field }: Props) {
  return (
    <Autocomplete
      {...field}
      error={error ?? failure}
      required
      description={item?.description ?? 'Enter part of the number or the name'}
      maxLength={100}
      data={[...new Set(hits.map(({ itemNumber }) => itemNumber))]}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const hit = hits.find(({ itemNumber }) => itemNumber === option.value);
        return (
          <Text size="sm">
            <b>{option.value}</b> {hit ? <ItemName item={hit} /> : null}
          </Text>
        );
      }}
    />
  );
}
