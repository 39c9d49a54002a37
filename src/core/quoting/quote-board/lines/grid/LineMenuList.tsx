// The actions on one line, below their button.
import { Menu, Text } from '@mantine/core';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { formatPrice } from '#platform/shared/money.ts';
import type { OfButton } from '#platform/ui/later.tsx';
import type { LineActions } from '../line-actions.web.ts';
import { isLinked, isPriced, mayEditPrice } from '../line-words.ts';

/** On cards (`cards`), which have no cells to edit, the menu also contains the line's price and promotions. */
export type LineMenuProps = {
  item: QuoteItem;
  currnIdx: number;
  actions: LineActions;
  cards?: { promotable: boolean };
};

export default function LineMenuList(props: LineMenuProps & OfButton) {
  const { item, currnIdx, actions, cards, button, opened, onChange } = props;
  const asksContracts = useSession()?.gpoTabHidden === false;
  return (
    <Menu position="bottom-end" withinPortal opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {mayEditPrice(item) ? <Menu.Item onClick={() => actions.edit(item)}>Edit Item…</Menu.Item> : null}
        {cards && mayEditPrice(item) ? <Menu.Item onClick={() => actions.price(item, {})}>Price…</Menu.Item> : null}
        {item.type === 'item' && item.priceSource === 'Manual' && item.systemPrice !== null ? (
          <Menu.Item onClick={() => actions.change(item, { unitPrice: null })}>
            Reset to system price ({formatPrice(item.systemPrice, currnIdx)})
          </Menu.Item>
        ) : null}
        {cards?.promotable
          ? item.promotions.map((promotion) => (
              <Menu.Item
                key={promotion.id}
                onClick={() => actions.promote(item, promotion.applied ? null : promotion.id)}
              >
                {promotion.applied ? 'Remove promotion' : 'Apply promotion'}
                <Text size="xs" className="muted" maw={260}>
                  {promotion.message}
                </Text>
              </Menu.Item>
            ))
          : null}
        {asksContracts && item.type === 'item' ? (
          <Menu.Item onClick={() => actions.request(item)}>Request a contract price…</Menu.Item>
        ) : null}
        <Menu.Item onClick={() => actions.comment(item)}>Comment…</Menu.Item>
        <Menu.Item onClick={() => actions.shift(item.id, -1)}>Move up (Alt+↑)</Menu.Item>
        <Menu.Item onClick={() => actions.shift(item.id, 1)}>Move down (Alt+↓)</Menu.Item>
        {isPriced(item) ? (
          <>
            <Menu.Item onClick={() => actions.change(item, { optional: !item.optional })}>
              {item.optional ? 'Make required' : 'Make optional (not in the total)'}
            </Menu.Item>
            <Menu.Item onClick={() => actions.change(item, { active: !item.active })}>
              {item.active ? 'Deactivate' : 'Activate'}
            </Menu.Item>
          </>
        ) : null}
        {isLinked(item) && item.configured ? (
          <Menu.Item
            onClick={() =>
              actions.change(item, { configured: item.configured && { ...item.configured, linked: false } })
            }
          >
            Unlink from the configuration
          </Menu.Item>
        ) : null}
        <Menu.Item onClick={() => actions.duplicate([item])}>Duplicate</Menu.Item>
        <Menu.Item color="red" onClick={() => actions.remove([item])}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
