// The dialog for pasted rows. It accepts the text, then shows every row it found before the rows become lines.
import { Button, Modal, Stack, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { NARROW } from '#platform/ui/DataList.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { DiscardDialog } from '#platform/ui/DiscardDialog.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { PastePreview } from './PastePreview.tsx';
import { type PastedTable, parsePaste } from './parse-paste.ts';
import type { QuoteToFill } from './paste-references.web.ts';
import type { KeyedRow } from './paste-rows.ts';

type Props = {
  text: string;
  /** The quote that receives the lines. Undefined for a template. The object keeps its identity as long as the quote is the same. */
  quote?: QuoteToFill;
  /** The facility of a quote that does not exist yet. Its item numbers are recognized. */
  facilityId?: number | null;
  /** Adds the lines. The dialog shows an error and keeps the rows. */
  onAdd: (rows: KeyedRow[]) => Promise<unknown>;
  onClose: () => void;
};

export default function PasteDialog({ text, onClose, ...rest }: Props) {
  const [typed, setTyped] = useState(text);
  const [table, setTable] = useState<PastedTable | null>(() => tableOf(text));
  const [isLeaving, setLeaving] = useState(false);
  const [finding, setFinding] = useState(false);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isWork = table !== null || typed.trim() !== '';
  useUnsaved(isWork);
  const leave = () => (isWork ? setLeaving(true) : onClose());
  const lookUp = (pasted: string) => setTable(tableOf(pasted));
  return (
    <>
      <Modal
        opened
        onClose={leave}
        closeOnEscape={!isLeaving && !finding}
        size={1000}
        fullScreen={narrow}
        title="Paste lines"
        transitionProps={{ duration: 0 }}
      >
        {table ? (
          <PastePreview
            table={table}
            narrow={narrow}
            finding={finding}
            onFinding={setFinding}
            onClose={onClose}
            onLeave={leave}
            {...rest}
          />
        ) : (
          <Stack>
            <Textarea
              data-autofocus
              autosize
              minRows={8}
              maxRows={16}
              label="Rows from a spreadsheet (item number, quantity, unit, price) or the text of an email"
              placeholder={'551000\t40\tBX\n881003\t4\tEA\n\nor: 20 cs nitrile gloves M, 4 bx 18g IV caths'}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onPaste={(event) => {
                if (typed !== '') return;
                event.preventDefault();
                const clip = event.clipboardData.getData('text/plain');
                setTyped(clip);
                lookUp(clip);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
                event.preventDefault();
                lookUp(typed);
              }}
            />
            <DialogButtons onCancel={leave}>
              <Button disabled={typed.trim() === ''} onClick={() => lookUp(typed)}>
                Look up
              </Button>
            </DialogButtons>
          </Stack>
        )}
      </Modal>
      {isLeaving ? (
        <DiscardDialog
          title="Discard the pasted rows?"
          text="They are not on the quote yet."
          onStay={() => setLeaving(false)}
          onDiscard={onClose}
        />
      ) : null}
    </>
  );
}

function tableOf(text: string): PastedTable | null {
  const table = parsePaste(text);
  return table.rows.length === 0 ? null : table;
}
