// A drawer with a form for one record. It prompts before it closes with unsaved changes.
import { Drawer } from '@mantine/core';
import { createContext, type ReactNode, type RefObject, useRef, useState } from 'react';
import { DiscardDialog } from './DiscardDialog.tsx';

/** Whether the form in the drawer has unsaved changes. The form sets it. */
export const DrawerDirty = createContext<RefObject<boolean> | null>(null);

type Props = { title: string; size?: string | number; onClose: () => void; children: ReactNode };

export function RecordDrawer({ title, size = 'md', onClose, children }: Props) {
  const dirty = useRef(false);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Drawer
        opened
        position="right"
        size={size}
        title={title}
        onClose={() => (dirty.current ? setAsking(true) : onClose())}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <DrawerDirty value={dirty}>{children}</DrawerDirty>
      </Drawer>
      {asking ? <DiscardDialog onStay={() => setAsking(false)} onDiscard={onClose} /> : null}
    </>
  );
}
