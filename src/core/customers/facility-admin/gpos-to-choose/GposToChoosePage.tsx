// Lists facilities that are on the rosters of several GPOs. The user chooses the primary one, because no contract price applies before that.
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { ContractLists } from '#core/prices/contracts/list/ContractLists.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { FacilityAdmin, MEMBERSHIP_KEEPERS } from '../facility-admin.contract.ts';
import { type FacilityToDecide, GposToChoose } from './gpos-to-choose.contract.ts';

export default function GposToChoosePage() {
  const user = useSession();
  const list = useRecordList({
    name: 'gpos-to-choose',
    filters: { keyword: '' },
    sort: { field: 'facility', dir: 'asc' },
    criteria: (filters) => filters,
    find: api(GposToChoose).SearchGposToChoose,
  });
  const choose = useMutation({
    mutationFn: ({ row, gpo }: { row: FacilityToDecide; gpo: FacilityToDecide['gpos'][number] }) =>
      api(FacilityAdmin).SaveGpoMembership({
        id: gpo.membership?.id ?? 0,
        facilityId: row.id,
        gpoId: gpo.id,
        primary: true,
        from: gpo.membership?.from ?? row.since,
        version: row.version,
      }),
    onSuccess: (saved, { row }) =>
      notifications.show({ message: `${saved.gpo.name} is the primary GPO of ${row.name}.` }),
  });
  const mayChoose = user !== null && hasRole(user, ...MEMBERSHIP_KEEPERS);
  const choices = (row: FacilityToDecide) => (
    <Choices row={row} busy={choose.isPending} choose={mayChoose ? (gpo) => choose.mutate({ row, gpo }) : null} />
  );
  const columns: Column<FacilityToDecide>[] = [
    { field: 'facility', title: 'Facility', width: 280, render: (row) => <FacilityLink id={row.id} name={row.name} /> },
    { title: 'Acct. #', render: (row) => row.acctNo },
    { title: 'Place', width: 160, render: cityAndState },
    { field: 'since', title: 'Since', figure: true, render: (row) => formatDate(row.since) },
    { field: 'quotes', title: 'Open quotes', figure: true, render: (row) => row.quotes },
    { title: mayChoose ? 'Choose the primary GPO' : 'GPOs', render: choices },
  ];
  return (
    <ListPage
      title="GPOs to choose"
      hint="Several GPOs have these facilities on their rosters. Their contract prices do not apply until one is the primary GPO."
      noun={['facility', 'facilities']}
      {...list.page}
      siblingLists={<ContractLists />}
      filters={<KeywordField label="Facility" {...list.field('keyword')} />}
    >
      <ErrorAlert error={choose.error} title="The primary GPO could not be saved" />
      <DataList
        label="GPOs to choose"
        columns={columns}
        {...list.rows}
        empty={
          list.filters.keyword
            ? 'No Record Found'
            : 'Nothing to choose: each facility has one GPO, or a declared primary one.'
        }
        card={(row) => (
          <Stack gap={6}>
            <FacilityLink id={row.id} name={row.name} />
            <Text size="sm" className="muted tabular">
              {[row.acctNo, row.city, row.state].filter(Boolean).join(' · ')} · since {formatDate(row.since)}
            </Text>
            {choices(row)}
          </Stack>
        )}
      />
    </ListPage>
  );
}

type ChoicesProps = {
  row: FacilityToDecide;
  busy: boolean;
  /** Null if the user may only read. */
  choose: ((gpo: FacilityToDecide['gpos'][number]) => void) | null;
};

function Choices({ row, busy, choose }: ChoicesProps) {
  return (
    <Group gap={6}>
      {row.gpos.map((gpo) => {
        const contracts = gpo.contracts.join(', ');
        return choose ? (
          <Button
            key={gpo.id}
            size="compact-sm"
            variant="default"
            disabled={busy}
            title={contracts}
            aria-label={`Make ${gpo.name} the primary GPO of ${row.name} (${contracts})`}
            onClick={() => choose(gpo)}
          >
            {gpo.name}
          </Button>
        ) : (
          <Text key={gpo.id} size="sm" title={contracts}>
            {gpo.name}
          </Text>
        );
      })}
    </Group>
  );
}
