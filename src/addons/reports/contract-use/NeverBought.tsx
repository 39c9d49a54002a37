// The facilities that may buy under a contract and never did, by contract.
import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import type { ContractUseReport } from '../reports.contract.ts';
import classes from '../screen/reports.module.css';

type Row = ContractUseReport['neverBought'][number];

/** More names make a row too high to read. */
const NAMED = 5;

export function NeverBought({ report: { neverBought } }: { report: ContractUseReport }) {
  const contract = ({ contractId, number }: Row) => (
    <Anchor component={Link} to={paths.contract(contractId)} fw={600}>
      {number}
    </Anchor>
  );
  const roster = ({ contractId, never }: Row) => (
    <Anchor
      inherit
      renderRoot={(props) => <Link {...props} to={paths.contract(contractId)} search={{ tab: 'roster' }} />}
    >
      {never.toLocaleString('en-US')}
    </Anchor>
  );
  const columns: Column<Row>[] = [
    { title: 'Contract', render: contract },
    { title: 'Title', width: 220, render: ({ title }) => <span title={title}>{title}</span> },
    { title: 'Entitled', figure: true, render: ({ entitled }) => entitled.toLocaleString('en-US') },
    { title: 'Never bought', figure: true, render: roster },
    { title: 'For example', grows: 220, render: (row) => <Facilities row={row} /> },
  ];
  return (
    <section className={`card ${classes['wide'] ?? ''}`} aria-labelledby="never-bought">
      <div className={classes['heading']}>
        <Title order={2} id="never-bought">
          Entitled facilities that never bought
        </Title>
        <Text size="xs" className="muted">
          On the roster today, without a won quote under the contract at any time.
        </Text>
      </div>
      <DataList
        label="Entitled facilities that never bought"
        columns={columns}
        rows={neverBought}
        rowKey={({ contractId }) => contractId}
        empty="Every entitled facility has bought."
        card={(row) => (
          <>
            {contract(row)}{' '}
            <Text size="sm" span>
              {row.title}: {roster(row)} of {row.entitled.toLocaleString('en-US')}
            </Text>
            <Text size="xs" component="div" className={classes['names'] ?? ''}>
              <Facilities row={row} />
            </Text>
          </>
        )}
      />
    </section>
  );
}

function Facilities({ row: { facilities } }: { row: Row }) {
  return facilities.slice(0, NAMED).map(({ id, name }, at) => (
    <span key={id}>
      {at > 0 ? ' · ' : ''}
      <Anchor component={Link} to={paths.facility(id)} inherit>
        {name}
      </Anchor>
    </span>
  ));
}
