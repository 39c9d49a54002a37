// How screens say a line's unit.

/** 'BX of 50 EA'; a unit that the item no longer has says so. */
export function unitInWords({
  unit,
  baseUnit,
  perUnit,
}: {
  unit: string;
  baseUnit: string;
  perUnit: number | null;
}): string {
  if (perUnit === null) return `${unit}, no factor`;
  return unit === baseUnit ? unit : `${unit} of ${perUnit.toLocaleString('en-US')} ${baseUnit}`;
}
