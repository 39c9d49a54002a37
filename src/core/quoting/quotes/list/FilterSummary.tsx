// The active filters in words, each of which the user can remove.
import { CloseButton, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { formatDate } from '#platform/shared/dates.ts';
import type { Choice } from '#platform/shared/wire.ts';
import type { WaitsFor } from '../quotes.contract.ts';
import { STATUS_LABELS } from '../status.ts';
import type { Criteria } from './criteria-address.ts';
import type { Lookups } from './quote-page.web.ts';
import classes from './quotes.module.css';

type Part = { text: string; without: Partial<Criteria> };

type Props = { criteria: Criteria; lookups: Lookups | undefined; onChange: (criteria: Criteria) => void };

export function FilterSummary({ criteria, lookups, onChange }: Props) {
  const { facilityId } = criteria;
  const facility = useQuery({
    ...api(FacilitySearch).GetFacilityDataById.query({ id: facilityId ?? 0 }),
    enabled: facilityId !== null,
  });
  const parts = chosenFilters(criteria, lookups, facility.data?.id === facilityId ? facility.data?.name : undefined);
  if (parts.length === 0) {
    return (
      <Text size="sm" className="muted">
        All quotes
      </Text>
    );
  }
  return (
    <Group gap={6} role="group" aria-label="Filtered by">
      {parts.map((part) => (
        <span key={part.text} className={classes['part']}>
          <span className="ellipsis">{part.text}</span>
          <CloseButton
            variant="transparent"
            aria-label={`Remove ${part.text}`}
            onClick={() => onChange({ ...criteria, ...part.without })}
          />
        </span>
      ))}
    </Group>
  );
}

const WAITS_WORDS: Record<WaitsFor, string> = { question: 'Open question', expiry: 'Expires within a week' };

function chosenFilters(criteria: Criteria, lookups: Lookups | undefined, facility = '…'): Part[] {
  const parts: Part[] = [];
  const add = (text: string, without: Partial<Criteria>) => parts.push({ text, without });
  const nameOf = (choices: Choice[] | undefined, id: number) =>
    choices?.find((choice) => choice.id === id)?.name ?? '…';
  const { num, facilityAccountNo, facilityName, itemNum, comment, dateFrom, dateTo } = criteria;
  if (num) add(`Quote # ${num}`, { num: '' });
  if (criteria.facilityId !== null) add(facility, { facilityId: null });
  if (facilityAccountNo) add(`Account # ${facilityAccountNo}`, { facilityAccountNo: '' });
  if (facilityName) add(`Facility ${facilityName}`, { facilityName: '' });
  if (itemNum) add(`Item # ${itemNum}`, { itemNum: '' });
  if (comment) add(`Comment ${comment}`, { comment: '' });
  if (dateFrom) add(`since ${formatDate(dateFrom)}`, { dateFrom: '' });
  if (dateTo) add(`until ${formatDate(dateTo)}`, { dateTo: '' });
  const { regionId, territoryId, salesRepId, csRepId } = criteria;
  // Removing the region keeps the territory.
  if (regionId !== null) add(`Region ${nameOf(lookups?.regions, regionId)}`, { regionId: null });
  if (territoryId !== null) add(`Territory ${nameOf(lookups?.territories, territoryId)}`, { territoryId: null });
  for (const id of criteria.qtStatuses) {
    add(STATUS_LABELS[id], { qtStatuses: criteria.qtStatuses.filter((other) => other !== id) });
  }
  if (criteria.needsFollowUp) add('Needs follow-up', { needsFollowUp: false });
  if (criteria.waitsFor) add(WAITS_WORDS[criteria.waitsFor], { waitsFor: null });
  if (salesRepId !== null) add(`Sales Rep. ${nameOf(lookups?.salesReps, salesRepId)}`, { salesRepId: null });
  if (csRepId !== null) add(`Customer Service Rep. ${nameOf(lookups?.csReps, csRepId)}`, { csRepId: null });
  return parts;
}
