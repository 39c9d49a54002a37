// One line of customer input: kept in the draft, with its error below.
import { TextInput, type TextInputProps } from '@mantine/core';
import type { Draft, DraftProps } from './draft.web.ts';
import type { Sending } from './sending.web.ts';

type Props = Pick<TextInputProps, 'label' | 'description' | 'type' | 'required' | 'maxLength' | 'autoComplete'> &
  DraftProps & { field: keyof Draft; sending: Sending };

export function AnswerField({ field, draft, onType, sending, ...input }: Props) {
  return (
    <TextInput
      {...input}
      value={draft[field]}
      onChange={(event) => onType({ [field]: event.currentTarget.value })}
      error={sending.errorOf(field)}
    />
  );
}

/** The name of the person who responds. */
export function NameField(props: DraftProps & { sending: Sending }) {
  return <AnswerField {...props} field="name" label="Your name" required maxLength={200} autoComplete="name" />;
}
