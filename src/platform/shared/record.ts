// Declares a saved record once: its fields with labels, limits and initial values. The input of a save and the values of a form are derived from it.
import { z } from 'zod';
import { Id, RequiredText, Text, TypedDate, Version } from './wire.ts';

/** `input` validates what is typed, `output` is what is read, `blank` is the value in a new record. */
type Field<I extends z.ZodType, O extends z.ZodType> = { label: string; input: I; output: O; blank: z.output<O> };
type Fields = Record<string, Field<z.ZodType, z.ZodType>>;

export const field = <I extends z.ZodType, O extends z.ZodType>(
  label: string,
  input: I,
  output: O,
  blank: z.output<O>,
): Field<I, O> => ({ label, input, output, blank });
export const text = (label: string, max: number, blank = '') => field(label, Text(max), z.string(), blank);
export const requiredText = (label: string, max: number) => field(label, RequiredText(max), z.string(), '');
export const flag = (label: string, blank: boolean) => field(label, z.boolean(), z.boolean(), blank);
export const day = (label: string) => field(label, TypedDate, z.string(), '');
/** A day that may be missing (null). */
export const dayOrNone = (label: string) => field(label, TypedDate.nullable(), z.string().nullable(), null);

type Part<F extends Fields, K extends 'input' | 'output'> = { [N in keyof F]: F[N][K] };
type Kept<F extends Fields, Q> = { [N in keyof F]: N extends Q ? F[N]['input'] : z.ZodOptional<F[N]['input']> };

/** `required` names the fields that every save must send. Other omitted fields keep their value, or are blank in a new record. */
export function declareRecord<F extends Fields, Q extends keyof F & string = never>(fields: F, required: Q[] = []) {
  const part = (key: keyof Fields[string]) =>
    Object.fromEntries(Object.entries(fields).map(([name, declared]) => [name, declared[key]]));
  const inputs = part('input') as Part<F, 'input'>;
  const inputsOfSave = Object.entries(inputs).map(([name, input]) => [
    name,
    required.some((candidate) => candidate === name) ? input : z.optional(input),
  ]);
  return {
    /** All fields, as the form has them. */
    Whole: z.object(inputs),
    /** The input of a save; check it with `changesOverVersion`. */
    Input: saveOf(Object.fromEntries(inputsOfSave) as Kept<F, Q>),
    /** What the form reads, and what a save returns. */
    Edit: recordOf(part('output') as Part<F, 'output'>),
    labels: part('label') as Record<keyof F & string, string>,
    blank: { id: 0, ...part('blank'), version: 0 } as { [N in keyof F]: z.output<F[N]['output']> } & {
      id: number;
      version: number;
    },
  };
}

/** Returns the schema of a saved record as lists and forms read it; a new one has id 0. */
export const recordOf = <F extends z.ZodRawShape>(fields: F) =>
  z.object({ id: z.number().int(), ...fields, version: z.number().int() });

/** Returns the schema of a save; id 0 adds a record. */
const saveOf = <F extends z.ZodRawShape>(fields: F) =>
  z.object({ id: Id.or(z.literal(0)).default(0), ...fields, version: Version.optional() });

/** The query of a form. Without an id it requests a new record. */
export const FormQuery = z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647).optional() });
