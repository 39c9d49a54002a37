// The ZIPs that have an area of their own on the map; the others are points: PO boxes and single buildings.
import { shippedVersion } from '#features/territories/zip-areas/geo-versions.server.ts';

let known: Promise<ReadonlySet<string>> | undefined;

export function areaZips(): Promise<ReadonlySet<string>> {
  return (known ??= shippedVersion().then(({ allZips }) => new Set(allZips.split(' '))));
}
