// Finds our unit for the unit of a row, and checks whether both contain the same quantity.
import type { Decimal } from '#platform/shared/money.ts';
import { readUnit, unitMeant } from '#platform/shared/unit-of-measure.ts';

type ItemUnits = { item_number: string; units: readonly { unit: string; factor: Decimal }[] };
/** `sizes_differ`: the row itself contains two sizes. */
export type TheirUnit = { unit: string; pack: string; eaches: Decimal | null; sizes_differ: boolean };

/**
 * `unit`: our unit to compare with, '' if it is unknown. `eaches`: the size of the customer's unit in our base unit, null if unknown. `agrees`: the
 * customer's unit is `unit`, either by name and size, or by size under a name that we do not use. `reason` explains the result in a sentence.
 */
export type UnitAgreement = { unit: string; eaches: Decimal | null; agrees: boolean; reason: string };

/** `numberUnit`: the unit of the cross-reference or the GTIN itself, '' if it has none. */
export function agreeOnUnit(theirs: TheirUnit, item: ItemUnits, numberUnit = ''): UnitAgreement {
  const { units } = item;
  const result = byWords(theirs, item);
  if (theirs.sizes_differ)
    return { unit: '', eaches: null, agrees: false, reason: 'The row gives two sizes for its unit.' };
  const ofNumber = units.find(({ unit }) => unit === numberUnit);
  if (numberUnit !== '' && !ofNumber)
    return { ...result, agrees: false, reason: `The number identifies ${numberUnit}, which is not one of our units.` };
  if (ofNumber && result.agrees && result.unit !== numberUnit)
    return {
      ...result,
      agrees: false,
      reason: `The row says ${result.unit}, but the number identifies ${numberUnit}.`,
    };
  if (ofNumber && theirs.unit === '' && theirs.eaches === null)
    return {
      unit: numberUnit,
      eaches: ofNumber.factor,
      agrees: true,
      reason: `The number identifies ${content(ofNumber, item)}.`,
    };
  return result;
}

function byWords(theirs: TheirUnit, item: ItemUnits): UnitAgreement {
  const { units } = item;
  const [base] = units;
  if (!base) return { unit: '', eaches: theirs.eaches, agrees: false, reason: 'The item has no unit.' };
  const { eaches } = theirs;
  // The pack text is more precise than the unit alone, if it is about the same unit.
  const texts = [theirs.pack, theirs.unit].filter((text) => text !== '' && readUnit(text).length > 0);
  const meanings = texts.map((text) => unitMeant(text, item.item_number, units));
  const named = meanings.find(({ unit }) => unit !== '');
  const problem = meanings.find((meaning) => meaning.problem !== '')?.problem ?? '';
  const holder = named && units.find(({ unit }) => unit === named.unit);
  if (eaches === null) {
    if (holder && problem === '')
      return {
        unit: holder.unit,
        eaches: holder.factor,
        agrees: true,
        reason: `Both units are ${content(holder, item)}.`,
      };
    if (theirs.unit === '') return { unit: '', eaches: null, agrees: false, reason: 'The row has no unit.' };
    return {
      unit: '',
      eaches: null,
      agrees: false,
      reason: problem || `The row does not say how many eaches their ${theirs.unit} holds.`,
    };
  }
  const alike = units.find(({ factor }) => same(factor, eaches));
  if (holder && same(holder.factor, eaches))
    return { unit: holder.unit, eaches, agrees: true, reason: `Both units are ${content(holder, item)}.` };
  const their = `Their ${theirs.unit || 'unit'} holds ${figure(eaches)}`;
  if (!holder && alike)
    return { unit: alike.unit, eaches, agrees: true, reason: `${their}, as our ${alike.unit} does.` };
  const nearest = alike ?? fitting(units, eaches) ?? base;
  const ours = units.map((unit) => content(unit, item)).join(', ');
  return { unit: nearest.unit, eaches, agrees: false, reason: `${their}; ours: ${ours}.` };
}

/** Our largest unit that fits into the customer's unit a whole number of times. */
function fitting(units: ItemUnits['units'], eaches: Decimal): ItemUnits['units'][number] | undefined {
  return units
    .filter(({ factor }) => factor <= eaches && same(Math.round(eaches / factor) * factor, eaches))
    .toSorted((a, b) => b.factor - a.factor)[0];
}

const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.000_05;
const figure = (count: number): string => count.toLocaleString('en-US');

/** 'BX of 100 EA', or only the name of the base unit. */
function content(unit: ItemUnits['units'][number], { units }: ItemUnits): string {
  return unit === units[0] ? unit.unit : `${unit.unit} of ${figure(unit.factor)} ${units[0]?.unit ?? ''}`;
}
