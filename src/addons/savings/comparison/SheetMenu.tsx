// Downloads the savings sheet as PDF or Excel, either for the customer or internally with margins.
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { type Analysis, Savings } from '../savings.contract.ts';

type Sheet = { format: 'pdf' | 'xlsx'; audience: 'customer' | 'internal' };

export function useSheet({ id }: Analysis) {
  return useMutation({
    mutationFn: (sheet: Sheet) => api(Savings).GetSavingsSheet({ id, ...sheet }),
    meta: { blocking: true },
    onSuccess: saveFile,
  });
}

type Props = { analysis: Analysis; sheet: ReturnType<typeof useSheet> };

export function SheetMenu({ analysis, sheet }: Props) {
  const item = (label: string, kind: Sheet) => <Menu.Item onClick={() => sheet.mutate(kind)}>{label}</Menu.Item>;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={sheet.isPending}
          disabled={analysis.totals.rows === 0}
          title={analysis.totals.rows === 0 ? 'No rows to compare yet' : undefined}
        >
          Savings sheet
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>For the customer</Menu.Label>
        {item('PDF', { format: 'pdf', audience: 'customer' })}
        {item('Excel', { format: 'xlsx', audience: 'customer' })}
        {analysis.mayReadInternal ? (
          <>
            <Menu.Label>Internal, with margin</Menu.Label>
            {item('Internal PDF', { format: 'pdf', audience: 'internal' })}
            {item('Internal Excel', { format: 'xlsx', audience: 'internal' })}
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
