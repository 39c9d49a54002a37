// Says in the dialog of a step that what others did has made the step impossible. What was typed stays to be copied.
import { Text } from '@mantine/core';
import type { AllowedAction } from '#core/quoting/quote-workflow/workflow.ts';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';

type Allowed = Pick<QuoteEditData, 'allowedActions'>;

export function isStepGone({ allowedActions }: Allowed, asked: AllowedAction['action']): boolean {
  return !allowedActions.some(({ action }) => action === asked);
}

export function StepGone() {
  return (
    <Text size="sm" c="red" role="alert">
      The quote has changed meanwhile: this step is not possible any more.
    </Text>
  );
}
