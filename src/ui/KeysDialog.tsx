// The list of the keys that work on the screen.
import { Kbd, Modal } from '@mantine/core';
import { type Key, writtenKey } from './keys.tsx';

type Props = { opened: boolean; onClose: () => void; keys: Key[] };

export default function KeysDialog({ opened, onClose, keys }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keys">
      <table className="list">
        <tbody>
          {[...keys, { key: '?', label: 'This list' }].map(({ key = '', label }) => (
            <tr key={`${key} ${label}`}>
              <td style={{ width: 120 }}>
                <Kbd>{writtenKey(key)}</Kbd>
              </td>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  );
}
