// The list of the keys that work on the screen.
import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import { type Key, writtenKey } from './keys.tsx';

type Props = { opened: boolean; onClose: () => void; keys: Key[] };

export default function KeysDialog({ opened, onClose, keys }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keys">
      <table className="list">
        <tbody>
          {[...keys, { key: '?', label: 'This list' }].map(({ key = '', label }) => (
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
