// Lets the user drop files onto an area.
import { type DragEvent, useState } from 'react';

/** Returns the props of the area, and whether files are being dragged over it. A picture that is dragged within the page is not a file. */
export function useFileDrop(onDrop: (files: DataTransfer) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    area: {
      'data-over': over || undefined,
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer);
      },
    },
  };
}
