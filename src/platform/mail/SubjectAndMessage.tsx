// The subject and the text of an email that the user writes.
import { Textarea, TextInput } from '@mantine/core';
import type { Ref } from 'react';

type Props = {
  subject: string;
  onSubject: (subject: string) => void;
  body: string;
  onBody: (body: string) => void;
  /** A ref to the subject field. */
  first?: Ref<HTMLInputElement>;
};

export function SubjectAndMessage({ subject, onSubject, body, onBody, first }: Props) {
  return (
    <>
      <TextInput
        ref={first}
        label="Subject"
        required
        maxLength={300}
        value={subject}
        onChange={(event) => onSubject(event.currentTarget.value)}
      />
      <Textarea
        label="Message"
        required
        autosize
        minRows={6}
        maxRows={14}
        maxLength={10_000}
        value={body}
        onChange={(event) => onBody(event.currentTarget.value)}
      />
    </>
  );
}
