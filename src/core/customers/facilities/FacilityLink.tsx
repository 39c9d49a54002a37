// Links a facility's name to its page in a new tab, so that unsaved input here is not lost.
import { Anchor, type AnchorProps } from '@mantine/core';
import { paths } from '#platform/shared/paths.ts';

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
