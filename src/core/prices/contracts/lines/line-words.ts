// The words that screens use for a line's unit.

/** 'BX of 50 EA'; says so if the item no longer has the unit. */
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
