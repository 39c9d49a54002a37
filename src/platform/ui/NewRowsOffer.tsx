// Offers rows that other users added to a list, without moving the list.
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

/** `inLine` puts it in the heading of the list. Otherwise it floats above the list. */
type Props = { added: number; gone: number; goneWords: string; onShow: () => void; inLine?: boolean };

export function Offer({ added, gone, goneWords, onShow, inLine = false }: Props) {
  const words = [added > 0 ? `${added} new` : '', gone > 0 ? `${gone} ${goneWords}` : ''].filter(Boolean).join(' · ');
  return (
    <div className={inLine ? 'no-print' : 'list-offer no-print'} aria-live="polite">
      {words ? (
        <Button size="compact-sm" radius="xl" leftSection={<IconRefresh size={14} aria-hidden />} onClick={onShow}>
          {words}
          <span className="visually-hidden">. Show the list as it is now</span>
        </Button>
      ) : null}
    </div>
  );
}
