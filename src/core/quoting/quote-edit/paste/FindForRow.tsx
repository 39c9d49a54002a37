// Searches for the item of a pasted row, starting with the row's own text.
import { Text } from '@mantine/core';
import { useState } from 'react';

import { firstUnit } from '#core/catalog/items/ItemMarks.tsx';
import { ItemPickerPanel } from '#core/catalog/items/ItemPickerPanel.tsx';
import { appConfig } from '#platform/ui/app-config.web.ts';
import type { PastedLine } from './parse-paste.ts';
import { type Candidate, pickedFor, itemWords } from './paste-rows.ts';

type Props = {
  line: PastedLine;
  facilityId: number | null;
  onPick: (item: Candidate) => void;
  onClose: () => void;
};

export function FindForRow({ line, facilityId, onPick, onClose }: Props) {
  const [keyword, setKeyword] = useState(itemWords(line) || line.itemNumber);
  return (
    <div>
      <Text size="sm" px="md">
        For the pasted row: <b>{line.itemNumber}</b> {line.unused.map(({ text }) => text).join(' · ')}
      </Text>
      <ItemPickerPanel
        companyName={appConfig.companyName}
        keyword={keyword.slice(0, 200)}
        onKeyword={setKeyword}
        facilityId={facilityId}
        onPick={(hit) =>
          onPick(
            pickedFor(line, {
              itemId: hit.id,
              itemNumber: hit.itemNumber,
              description: hit.description,
              unit: firstUnit(hit) || (hit.units[0]?.unit ?? ''),
              units: hit.units,
            }),
          )
        }
        onClose={onClose}
      />
    </div>
  );
}
