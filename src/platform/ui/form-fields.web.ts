// The props of a form's widgets by field: `<TextInput {...field.text('name')} />` gets its label, limit, value, error and change handler.
import { z } from 'zod';
import type { Named } from '#platform/shared/wire.ts';
import type { RecordFormState } from './record-form.web.ts';

/** The fields of a record that have a label and values of one type. */
type Fields<R, L extends keyof R, V> = { [K in L]: [R[K], V] extends [V, R[K]] ? K : never }[L];

export function fieldsOf<R extends object, L extends keyof R & string>(
  form: RecordFormState<R>,
  schema: z.ZodObject,
  labels: Record<L, string>,
) {
  const { values, errors, set } = form;
  const change = (name: string, value: unknown) => set({ [name]: value } as Partial<R>);
  const about = (name: string) => ({ label: labels[name as L], error: errors[name] });
  const value = <V>(name: string) => values[name as keyof R] as V;
  return {
    /** A TextInput or Textarea; its limit and whether it is required come from the schema. */
    text: (name: Fields<R, L, string>) => ({
      ...about(name),
      ...limitsOf(inputOf(schema, name)),
      value: value<string>(name),
      onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
    }),
    /** An Autocomplete that suggests `words`. */
    words: (name: Fields<R, L, string>, words: readonly string[]) => ({
      ...about(name),
      ...limitsOf(inputOf(schema, name)),
      data: [...new Set(words)],
      value: value<string>(name),
      onChange: (next: string) => change(name, next),
    }),
    /** A NumberField. */
    number: (name: Fields<R, L, number>) => ({
      ...about(name),
      min: 0,
      value: value<number>(name),
      onChange: (next: number) => change(name, next),
    }),
    /** A DateField. An empty one is null if the record allows it. */
    day: (name: Fields<R, L, string> | Fields<R, L, string | null>) => ({
      ...about(name),
      value: value<string | null>(name) ?? '',
      onChange: (day: string) => change(name, inputOf(schema, name) instanceof z.ZodNullable ? day || null : day),
    }),
    /** A Checkbox. */
    check: (name: Fields<R, L, boolean>) => ({
      ...about(name),
      checked: value<boolean>(name),
      onChange: (event: { currentTarget: { checked: boolean } }) => change(name, event.currentTarget.checked),
    }),
    /** A Select without an empty choice. */
    choice: (name: Fields<R, L, string>) => ({
      ...about(name),
      allowDeselect: false,
      value: value<string>(name),
      onChange: (next: string | null) => change(name, next ?? ''),
    }),
    /** A MultiSelect of ids. */
    ids: (name: Fields<R, L, number[]>, choices: Named[]) => ({
      ...about(name),
      data: choices.map((choice) => ({ value: String(choice.id), label: choice.name })),
      value: value<number[]>(name).map(String),
      onChange: (ids: string[]) => change(name, ids.map(Number)),
    }),
  };
}

/** Returns the schema of a field, whether or not a save may omit it. */
function inputOf(schema: z.ZodObject, name: string): unknown {
  const field: unknown = schema.shape[name];
  return field instanceof z.ZodOptional ? field.unwrap() : field;
}

function limitsOf(field: unknown) {
  if (!(field instanceof z.ZodString)) return {};
  return { required: (field.minLength ?? 0) > 0, ...(field.maxLength === null ? {} : { maxLength: field.maxLength }) };
}
