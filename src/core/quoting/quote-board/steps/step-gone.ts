// Determines whether changes by other users have made a step impossible while its dialog is open.
import type { AllowedAction } from '#core/quoting/quote-workflow/workflow.ts';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';

export function isStepGone(
  { allowedActions }: Pick<QuoteEditData, 'allowedActions'>,
  request: AllowedAction['action'],
): boolean {
  return !allowedActions.some(({ action }) => action === request);
}
