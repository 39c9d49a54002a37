// The list of the keyboard shortcuts of the screen.
import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import type { Key } from './keys.tsx';
import { writtenKey } from './written-key.web.ts';

/** `layers` contains the keys of the page and of everything that opened over it, the newest last. */
type Props = { opened: boolean; onClose: () => void; layers: Key[][] };

/** Returns each key once, with its current action: the newest layer wins. */
function onceEach(layers: Key[][]): Key[] {
  const newest = new Map<string, Key>();
  for (const keys of layers.toReversed())
    for (const key of keys) {
      const name = key.key?.toLowerCase();
      if (name !== undefined && (!newest.has(name) || (newest.get(name)?.disabled && !key.disabled)))
        newest.set(name, key);
    }
  const active = new Set(newest.values());
  return layers.flat().filter((key) => active.has(key));
}

export default function KeysDialog({ opened, onClose, layers }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Shortcuts">
      <table className="list">
        <tbody>
          {[...onceEach(layers), { key: '?', label: 'This list' }].map(({ key = '', label }) => (
            <tr key={`${key} ${label}`}>
              <td style={{ width: 130 }}>
                {key.split(' ').map((part, index) => (
                  <Fragment key={part}>
                    {index > 0 ? ' then ' : null}
                    <Kbd>{writtenKey(part)}</Kbd>
                  </Fragment>
                ))}
              </td>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  );
}
