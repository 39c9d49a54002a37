// The texts about a line's unit on screens.

/** 'BX of 50 EA', with a remark if the item no longer has the unit. */
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
