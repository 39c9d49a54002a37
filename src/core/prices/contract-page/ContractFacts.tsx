// The key facts of a contract: GPO, days, predecessor and successors, and the contact.
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { awardInWords, daysLeftInWords, firmUntilInWords, gpoInWords } from '#core/prices/contracts/contract-words.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import classes from './contract-page.module.css';
import type { ContractDetail } from './contract-page.contract.ts';

export function ContractFacts({ data: { contract, today } }: { data: ContractDetail }) {
  const { predecessor, successors, extendedTo, terminatedOn } = contract;
  return (
    <dl className={`card ${classes['facts']}`} aria-label="Facts">
      <Fact label="GPO">{gpoInWords(contract.gpo?.name ?? null)}</Fact>
      <Fact label="Category">{contract.category}</Fact>
      <Fact label="Award">{awardInWords(contract.awardType)}</Fact>
      <Fact label="Term">
        <span className="tabular">
          {formatDate(contract.from)} – {formatDate(contract.lastDay)}
        </span>
        {extendedTo || terminatedOn ? (
          <Text size="xs" className="muted tabular">
            {extendedTo ? `extended from ${formatDate(contract.to)}` : ''}
            {extendedTo && terminatedOn ? ', ' : ''}
            {terminatedOn ? `terminated, last day ${formatDate(terminatedOn)}` : ''}
          </Text>
        ) : null}
      </Fact>
      <Fact label="Days left">
        {contract.state === 'Draft' ? (
          'not active yet'
        ) : (
          <span className="tabular">{daysLeftInWords(contract.daysLeft)}</span>
        )}
      </Fact>
      <Fact label="Prices firm until">
        {contract.priceFirmUntil ? (
          <span className="tabular">{firmUntilInWords(contract.priceFirmUntil, today)}</span>
        ) : (
          ''
        )}
      </Fact>
      <Fact label="Open to">
        {contract.openTo === 'members' ? 'All members of the GPO' : 'Facilities on the roster'}
      </Fact>
      <Fact label="Currency">{currencyOf(contract.currnIdx)}</Fact>
      <Fact label="Follows">{predecessor ? <ContractLink contract={predecessor} /> : ''}</Fact>
      <Fact label="Followed by">
        {successors.map((one) => (
          <span key={one.id} style={{ display: 'block' }}>
            <ContractLink contract={one} />{' '}
            <Text span size="xs" className="muted tabular">
              {one.state === 'Draft' ? 'draft' : `from ${formatDate(one.from)}`}
            </Text>
          </span>
        ))}
      </Fact>
      <Fact label="Contact here">
        {contract.contact ? (
          <>
            {contract.contact.name}
            <Text size="xs" className="muted">
              <a href={`mailto:${contract.contact.userName}`}>{contract.contact.userName}</a>
              {contract.contact.phone ? ` · ${contract.contact.phone}` : ''}
            </Text>
          </>
        ) : (
          ''
        )}
      </Fact>
      <Fact label="Contact at the GPO">{contract.gpoContact}</Fact>
    </dl>
  );
}

function ContractLink({ contract }: { contract: { id: number; number: string } }) {
  return (
    <Anchor component={Link} to={paths.contract(contract.id)} size="sm" className="tabular">
      {contract.number}
    </Anchor>
  );
}

/** Shows one fact; a missing fact takes no space. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === '' || (Array.isArray(children) && children.length === 0)) return null;
  return (
    <div>
      <Text component="dt" size="xs" className="muted">
        {label}
      </Text>
      <Text component="dd" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
