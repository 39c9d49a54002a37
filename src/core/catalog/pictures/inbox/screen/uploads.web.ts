// Uploads files from this screen to the inbox, a few at a time. A failed file does not affect the others.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { ItemImageProcess, LARGEST_UPLOAD, type UploadOutcome } from '../../pictures.contract.ts';

export type Sending = {
  key: number;
  file: File;
  state: 'waits' | 'sends' | 'done' | 'failed';
  /** The uploaded share of its bytes, from 0 to 1. */
  share: number;
  /** Why the file as a whole failed. */
  problem: string;
  /** The results; a ZIP has one for each picture. */
  outcomes: UploadOutcome[];
};

const AT_ONCE = 3;
const TOO_LARGE = 'The file is larger than 250 MB. Upload it in parts.';
const EMPTY = 'The file is empty.';

export type Uploads = ReturnType<typeof useUploads>;

export function useUploads() {
  const queries = useQueryClient();
  const [sendings, setSendings] = useState<Sending[]>([]);
  const waiting = useRef<Sending[]>([]);
  const running = useRef(0);
  const keys = useRef(0);
  const busy = sendings.some(({ state }) => state === 'waits' || state === 'sends');
  useUnsaved(busy);

  const change = (key: number, patch: Partial<Sending>) =>
    setSendings((now) => now.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry)));
  const send = async ({ key, file }: Sending) => {
    change(key, { state: 'sends', share: 0, problem: '' });
    try {
      if (file.size > LARGEST_UPLOAD) throw new Error(TOO_LARGE);
      if (file.size === 0) throw new Error(EMPTY);
      const { files } = await api(ItemImageProcess).UploadItemImages({ file }, undefined, (share) =>
        change(key, { share }),
      );
      change(key, { state: 'done', share: 1, outcomes: files });
    } catch (error) {
      change(key, { state: 'failed', problem: (error as Error).message });
    }
  };
  const work = async () => {
    running.current++;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) await send(next);
    running.current--;
    if (running.current === 0) await queries.invalidateQueries({ queryKey: IMAGES });
  };
  const start = (more: Sending[]) => {
    waiting.current.push(...more);
    for (let n = Math.min(AT_ONCE - running.current, more.length); n > 0; n--) void work();
  };
  return {
    sendings,
    busy,
    take: (files: File[]) => {
      const added = files.map(
        (file): Sending => ({ key: ++keys.current, file, state: 'waits', share: 0, problem: '', outcomes: [] }),
      );
      setSendings((now) => [...now, ...added]);
      start(added);
    },
    again: (failed: Sending[]) => {
      for (const { key } of failed) change(key, { state: 'waits', problem: '' });
      start(failed);
    },
    clear: () => setSendings((now) => now.filter(({ state }) => state === 'waits' || state === 'sends')),
  };
}

const IMAGES = api(ItemImageProcess).GetImagesWaitingForProcess.key;
