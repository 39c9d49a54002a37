// The panel for the user's own passkeys: add, rename, remove.
import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ProofDialog } from '../second-factor/ProofDialog.tsx';
import { RecoveryCodesDialog } from '../second-factor/RecoveryCodesDialog.tsx';
import { SecondFactor } from '../second-factor/second-factor.contract.ts';
import { deviceOf } from '../sessions/device.ts';
import { type Passkey, Passkeys } from './passkeys.contract.ts';
import { hasPasskeys, makePasskey } from './passkeys.web.ts';
import type { GivenProof } from './proof.ts';

type Asking = 'add' | Passkey;

export function PasskeysPanel({ onEnrolled }: { onEnrolled: () => Promise<void> }) {
  const queries = useQueryClient();
  const query = api(Passkeys).GetPasskeys.query({});
  const factorQuery = api(SecondFactor).GetSecondFactor.query({});
  const passkeys = useQuery({ ...query, staleTime: 0 });
  const factor = useQuery({ ...factorQuery, staleTime: 0 });
  const [asking, setAsking] = useState<Asking | null>(null);
  const [naming, setNaming] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const own = passkeys.data ?? [];
  const readAgain = () => {
    void queries.invalidateQueries({ queryKey: query.queryKey });
    void queries.invalidateQueries({ queryKey: factorQuery.queryKey });
  };

  async function add(proof: GivenProof) {
    const { options } = await api(Passkeys).BeginAddPasskey(proof);
    const created = await makePasskey(options);
    // Saved at once, because the device already has the passkey; the user can change the name afterwards.
    const added = await api(Passkeys).AddPasskey({ name: deviceOf(navigator.userAgent), passkey: created });
    if (added.recoveryCodes.length > 0) setCodes(added.recoveryCodes);
    setNaming(added.passkey);
  }

  async function prove(what: Asking, proof: GivenProof) {
    if (what === 'add') await add(proof);
    else {
      await api(Passkeys).RemovePasskey({ id: what.id, ...proof });
      notifications.show({ message: `The passkey ${what.name} is removed.` });
    }
    setAsking(null);
    readAgain();
  }

  if (factor.data?.hasPassword === false) return null;
  return (
    <section className="card" aria-label="Passkeys">
      <Stack p="md" gap="sm">
        <Title order={2}>Passkeys</Title>
        <Text size="sm" className="muted">
          A passkey signs you in with your fingerprint, your face or the PIN of your device, without your password.
          {hasPasskeys ? '' : ' This browser does not support them at this address.'}
        </Text>
        <ErrorAlert error={passkeys.error ?? factor.error} title="The passkeys could not be loaded" />
        {passkeys.isPending ? <Skeleton height={40} aria-label="Loading" /> : null}
        {own.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRename={setNaming} onRemove={setAsking} />
        ))}
        {hasPasskeys && factor.data ? (
          <Group>
            <Button variant={own.length > 0 ? 'default' : 'filled'} onClick={() => setAsking('add')}>
              Add a passkey…
            </Button>
          </Group>
        ) : null}
      </Stack>
      {asking ? (
        <ProofDialog
          title={asking === 'add' ? 'Add a passkey' : `Remove the passkey ${asking.name}?`}
          hint={
            asking === 'add'
              ? 'First confirm your identity. Your device then asks where to save the passkey.'
              : HINT_OF_REMOVAL
          }
          action={asking === 'add' ? 'Continue' : 'Remove'}
          harmful={asking !== 'add'}
          withCode={own.length > 0 || (factor.data?.since ?? null) !== null}
          prove={(input) => prove(asking, input)}
          withPasskey={own.length > 0}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {codes ? (
        <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
      ) : naming ? (
        <NameDialog
          passkey={naming}
          onDone={() => {
            setNaming(null);
            readAgain();
            void onEnrolled();
          }}
        />
      ) : null}
    </section>
  );
}

const HINT_OF_REMOVAL =
  'You can no longer sign in with it. Remove it from your device, too. Without a passkey or app, you sign in with just your password.';

type RowProps = { passkey: Passkey; onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void };

function PasskeyRow({ passkey, onRename, onRemove }: RowProps) {
  const { name, synced, createdAt, lastUsedAt } = passkey;
  return (
    <Group justify="space-between" gap="xs">
      <Stack gap={0} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm">{name}</Text>
        <Text size="xs" className="muted">
          Added {formatInstant(createdAt)},{' '}
          {lastUsedAt === null ? 'never used' : `last used ${formatInstant(lastUsedAt)}`}.
          {synced ? ' Synced to all your devices.' : ' On one device only.'}
        </Text>
      </Stack>
      <Group gap="xs">
        <Button variant="default" size="compact-sm" aria-label={`Rename ${name}…`} onClick={() => onRename(passkey)}>
          Rename…
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={`Remove ${name}…`}
          onClick={() => onRemove(passkey)}
        >
          Remove…
        </Button>
      </Group>
    </Group>
  );
}

function NameDialog({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const [name, setName] = useState(passkey.name);
  const rename = useMutation({ ...api(Passkeys).RenamePasskey.mutation(), onSuccess: onDone });
  return (
    <AskDialog
      title="Name of the passkey"
      size="sm"
      action="Save"
      busy={rename.isPending}
      disabled={name.trim() === ''}
      error={rename.error}
      onSubmit={() => rename.mutate({ id: passkey.id, name })}
      onClose={onDone}
    >
      <TextInput
        label="Name"
        description="Helps you recognize it later, such as 'Phone' or 'Security key'."
        data-autofocus
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </AskDialog>
  );
}
