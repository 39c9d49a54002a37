// The dialog for a step of a request: its text, and for an approval the tier, the days, and who signed the letter of commitment.
import { Anchor, Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError, withoutFieldErrors } from '#platform/api/http-error.ts';
import { paths } from '#platform/shared/paths.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { Eligibility, type RequestDetail } from '../eligibility.contract.ts';
import { tierOfContract } from '../request-words.ts';
import { STATE_LABELS } from '../request-steps.ts';

type Props = {
  step: RequestDetail['allowedActions'][number];
  detail: RequestDetail;
  onClose: () => void;
};

const FIELDS = ['tierId', 'firmFrom', 'to', 'reason', 'signer', 'signedOn'];

export function StepDialog({ step, detail, onClose }: Props) {
  const { request, tiers, letter, today } = detail;
  const { action } = step;
  const approves = action === 'Approve';
  const [tierId, setTierId] = useState(request.tier.id);
  const [firmFrom, setFirmFrom] = useState(request.wantedFrom);
  const [to, setTo] = useState(action === 'Revoke' ? today : '');
  const [reason, setReason] = useState('');
  const [signer, setSigner] = useState(letter?.signer ?? '');
  const [signedOn, setSignedOn] = useState(letter?.signedOn ?? '');
  const take = useMutation({
    mutationFn: () =>
      api(Eligibility).Decide({
        id: request.id,
        action,
        version: request.version,
        reason,
        ...(approves ? { tierId, firmFrom, to, ...(needsLetter ? { signer, signedOn } : {}) } : {}),
        ...(action === 'Revoke' ? { to } : {}),
      }),
    onSuccess: (after) => {
      notifications.show({ message: `${tierOfContract(after)}: ${STATE_LABELS[after.state].toLowerCase()}.` });
      onClose();
    },
  });
  const takeOnce = useOnce(take.mutateAsync);
  const tier = tiers.find(({ id }) => id === tierId);
  const needsLetter = tier?.needsLoc ?? false;
  const refused = take.error instanceof HttpError ? take.error : null;
  const errorOf = (path: string) => refused?.errors?.find((error) => error.path === path)?.message;
  const problem = withoutFieldErrors(take.error, (path) => FIELDS.includes(path));
  const past = approves && firmFrom < today;
  return (
    <Modal opened onClose={onClose} title={step.label}>
      <Form label={step.label} onSubmit={() => takeOnce()}>
        <Stack>
          <Text size="sm">
            {request.facility.name} · {tierOfContract(request)}
          </Text>
          {approves ? (
            <>
              <Select
                label="Tier"
                description={tier?.requirement || undefined}
                allowDeselect={false}
                data={tiers.map((entry) => ({
                  value: String(entry.id),
                  label: `${entry.name}${entry.id === request.tier.id ? ' (requested)' : ''}`,
                }))}
                value={String(tierId)}
                error={errorOf('tierId')}
                onChange={(next) => setTierId(Number(next ?? tierId))}
              />
              {tierId === request.tier.id ? null : (
                <Text size="sm">
                  Quotes that show the price of {request.tier.name} must be revised because their price changes.
                </Text>
              )}
              <Group grow align="flex-start">
                <DateField
                  data-autofocus
                  label="From"
                  required
                  value={firmFrom}
                  error={errorOf('firmFrom')}
                  onChange={setFirmFrom}
                />
                <DateField
                  label="To"
                  description="Leave empty for no end date"
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  value={to}
                  error={errorOf('to')}
                  onChange={setTo}
                />
              </Group>
              {needsLetter ? (
                <Group grow align="flex-start">
                  <TextInput
                    label="Letter signed by"
                    maxLength={200}
                    autoComplete="off"
                    value={signer}
                    error={errorOf('signer')}
                    onChange={(event) => setSigner(event.currentTarget.value)}
                  />
                  <DateField label="Signed on" value={signedOn} error={errorOf('signedOn')} onChange={setSignedOn} />
                </Group>
              ) : null}
              {detail.needsMembershipIn ? (
                <Text size="sm">
                  The facility has no primary membership in {detail.needsMembershipIn}.{' '}
                  <Anchor component={Link} to={paths.facility(request.facility.id)} size="sm">
                    Open facility
                  </Anchor>
                </Text>
              ) : null}
            </>
          ) : null}
          {action === 'Revoke' ? (
            <>
              <Text size="sm">
                The roster entry and letter from the approval end on this day. The previous roster entry is not
                restored. If the facility returns to another tier, add a roster entry for it.
              </Text>
              <DateField label="Last day" required value={to} error={errorOf('to')} onChange={setTo} />
            </>
          ) : null}
          <Textarea
            {...(approves ? {} : { 'data-autofocus': true })}
            label={step.asks || past ? 'Reason' : 'Comment'}
            description={past ? 'The start date is in the past. Enter a reason.' : undefined}
            required={step.asks !== '' || past}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={2000}
            value={reason}
            error={errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <ErrorAlert error={problem} title="Something went wrong" />
          <DialogButtons onCancel={onClose}>
            <Button
              type="submit"
              loading={take.isPending}
              {...(['Reject', 'Withdraw', 'Revoke'].includes(action) ? { color: 'red' } : {})}
            >
              {step.label}
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}
