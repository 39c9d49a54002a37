// One of two facilities that are alike, as the screen and the merge show it.
import { Text } from '@mantine/core';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import type { AlikeFacility } from './facility-duplicates.contract.ts';

export function AlikeFacilityText({ facility }: { facility: AlikeFacility }) {
  const { id, acctNo, name, street, city, state, zip, active, quotes, prices } = facility;
  const place = [street, cityAndState({ city, state }), zip].filter(Boolean).join(' · ');
  return (
    <div style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      <Text size="sm">
        <span className="tabular">{acctNo}</span> <FacilityLink id={id} name={name} fw={600} />
        {active ? null : <span className="muted"> (inactive)</span>}
      </Text>
      <Text size="sm" className="muted">
        {place}
      </Text>
      <Text size="sm" className="muted">
        {countOf(quotes, 'quote')}, {countOf(prices, 'account price')}
      </Text>
    </div>
  );
}
