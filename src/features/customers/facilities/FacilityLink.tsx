// The name of a facility as the way to its page, in a tab of its own: what is being written here stays.
import { Anchor, type AnchorProps } from '@mantine/core';
import { paths } from '#shared/paths.ts';

type Props = AnchorProps & { id: number; name: string };

export function FacilityLink({ id, name, ...look }: Props) {
  return (
    <Anchor
      inherit
      {...look}
      href={paths.facility(id)}
      target="_blank"
      rel="noopener"
      title={`${name}: open the facility in a new tab`}
    >
      {name}
    </Anchor>
  );
}
