// The area where the user drops or chooses files. It also reads the files in dropped folders.
import { Text, UnstyledButton } from '@mantine/core';
import { useRef, useState } from 'react';
import classes from './DropZone.module.css';
import { useFileDrop } from './file-drop.web.ts';

type Props = {
  title: string;
  hint: string;
  /** The name of the field for files. */
  label: string;
  accept?: string;
  onFiles: (files: File[]) => void;
};

export function DropZone({ title, hint, label, accept, onFiles }: Props) {
  const [unread, setUnread] = useState(false);
  const takeFiles = (files: File[]) => {
    setUnread(false);
    onFiles(files);
  };
  const { area } = useFileDrop((dropped) => void filesOf(dropped).then(takeFiles, () => setUnread(true)));
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <UnstyledButton className={classes['drop']} {...area} onClick={() => input.current?.click()}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" className="muted">
          {hint}
        </Text>
      </UnstyledButton>
      {unread ? (
        <Text size="sm" c="red" role="alert">
          What was dropped could not be read, and none of it was taken. Choose the files instead.
        </Text>
      ) : null}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          takeFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

async function filesOf({ items, files }: DataTransfer): Promise<File[]> {
  // Reads the entries before the first await, because the browser forgets the drop afterwards.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const plain = [...files];
  return entries.some(({ isDirectory }) => isDirectory) ? (await Promise.all(entries.map(filesIn))).flat() : plain;
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const results: File[] = [];
  // A reader returns a hundred entries at a time, and an empty list at the end.
  for (;;) {
    const subset = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (subset.length === 0) return results;
    for (const entry of subset) results.push(...(await filesIn(entry)));
  }
}
