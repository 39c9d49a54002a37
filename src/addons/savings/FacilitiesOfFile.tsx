// Prompts for the facility of a file's rows, if the file names unknown facilities or others than the chosen one.
import { Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import type { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { FacilityField } from '#core/customers/facilities/FacilityField.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import type { NamedFacility } from './savings.contract.ts';

/** Undefined means not decided yet. Null means that the rows are left out. */
export type Theirs = FacilityHit | null | undefined;
export type Whose = { named: NamedFacility[]; more: boolean; theirs: Theirs[]; divide: 'by-facility' | 'none' };

type Props = { whose: Whose; chosen: string; tried: boolean; onChange: (whose: Whose) => void };

export function FacilitiesOfFile({ whose, chosen, tried, onChange }: Props) {
  const { named, more, theirs, divide } = whose;
  const set = (at: number, facility: Theirs) =>
    onChange({ ...whose, theirs: theirs.map((entry, place) => (place === at ? facility : entry)) });
  return (
    <Stack gap="sm" component="section" aria-label="Facilities in the file">
      <Text size="sm" className="warning" role="status">
        {more
          ? `The file names more than ${named.length} facilities, so all rows must belong to one facility.`
          : `The file names ${countOf(named.length, 'facility', 'facilities')}. Assign the rows of each one. Nothing is created until you do.`}
      </Text>
      <Radio.Group
        label="Row assignment"
        value={divide}
        onChange={(next) => onChange({ ...whose, divide: next === 'none' ? 'none' : 'by-facility' })}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="by-facility" label="One analysis for each facility" disabled={more} />
          <Radio value="none" label={`All rows belong to ${chosen}`} />
        </Stack>
      </Radio.Group>
      {divide === 'none'
        ? null
        : named.map((entry, at) => {
            const facility = theirs[at];
            const title = [entry.number, entry.name].filter((text) => text !== '').join(' ') || 'No facility named';
            return (
              <Stack
                key={`${entry.number} ${entry.name}`}
                className="card"
                p="sm"
                gap="xs"
                role="group"
                aria-label={title}
              >
                <Group justify="space-between">
                  <Text size="sm" fw={600}>
                    {title}
                  </Text>
                  <Text size="sm" className="muted">
                    {countOf(entry.rows, 'row')}
                  </Text>
                </Group>
                {facility === null ? null : (
                  <FacilityField
                    chosen={facility ? `${facility.name}, acct. ${facility.acctNo}` : null}
                    error={tried && !facility ? 'Choose the facility, or leave the rows out' : undefined}
                    onChange={(hit) => set(at, hit ?? undefined)}
                  />
                )}
                <Checkbox
                  size="xs"
                  label="Leave these rows out"
                  checked={facility === null}
                  onChange={(event) => set(at, event.currentTarget.checked ? null : (entry.facility ?? undefined))}
                />
              </Stack>
            );
          })}
    </Stack>
  );
}

/** Whether all required decisions are made. */
export const isDecided = ({ divide, theirs, more }: Whose): boolean =>
  divide === 'none' ||
  (!more && theirs.every((candidate) => candidate !== undefined) && theirs.some((candidate) => candidate !== null));
