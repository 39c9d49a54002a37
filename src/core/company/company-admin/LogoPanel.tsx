// The company's logo, previewed on a quote and on light and dark pages; choose, replace, remove.
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { CompanyMark } from '#core/quoting/quote-doc/CompanyMark.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { setCompanyLogo } from '#platform/ui/company-logo.web.ts';
import { useFileDrop } from '#platform/ui/file-drop.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { CompanyAdmin, MAX_LOGO_BYTES, LOGO_PIXELS, formatFileSize } from './company-admin.contract.ts';
import classes from './LogoPanel.module.css';

type KeptLogo = OutputOf<typeof CompanyAdmin.UploadLogo>['logo'];

export function LogoPanel({ name, logo }: { name: string; logo: KeptLogo }) {
  const [asking, setAsking] = useState(false);
  const [tooLarge, setTooLarge] = useState('');
  const replaces = logo?.id ?? '';
  const changed = (after: KeptLogo) => {
    setCompanyLogo(after);
    setAsking(false);
  };
  const upload = useMutation({
    ...api(CompanyAdmin).UploadLogo.mutation(),
    onSuccess: (saved) => {
      changed(saved.logo);
      notifications.show({ message: 'Logo saved. It appears on quotes sent from now on.' });
    },
  });
  const remove = useMutation({
    ...api(CompanyAdmin).RemoveLogo.mutation(),
    onSuccess: (saved) => {
      changed(saved.logo);
      notifications.show({ message: 'Logo removed.' });
    },
  });
  const send = (file: File | null | undefined) => {
    if (!file) return;
    remove.reset();
    upload.reset();
    // Avoids a useless upload over a slow line. The server checks everything else.
    const refused = file.size > MAX_LOGO_BYTES;
    setTooLarge(
      refused
        ? `${file.name} is ${formatFileSize(file.size)}. A logo may be up to ${formatFileSize(MAX_LOGO_BYTES)}.`
        : '',
    );
    if (!refused) upload.mutate({ replaces, file });
  };
  const { area } = useFileDrop(({ files }) => send(files[0]));

  return (
    <Stack gap="sm" className={classes['drop']} {...area}>
      <div className={classes['previews']}>
        <Preview scheme="light" name={name} logo={logo} />
        <Preview scheme="dark" name={name} logo={logo} />
      </div>
      <Text size="sm">
        {logo
          ? `${logo.name}, ${logo.width} × ${logo.height} pixels, ${formatFileSize(logo.size)}.`
          : 'There is no logo, so the company’s initial appears instead.'}{' '}
        {logo && logo.height < SHARP.height && logo.width < SHARP.width
          ? 'It will look blurred in print. Choose a larger picture if you have one.'
          : ''}
      </Text>
      <ErrorAlert
        error={tooLarge || (upload.error ?? (asking ? null : remove.error))}
        title={remove.error ? 'The logo was not removed' : 'The logo was not saved'}
        onClose={() => {
          setTooLarge('');
          upload.reset();
          remove.reset();
        }}
      />
      <Group gap="sm">
        <FileButton onChange={send} accept="image/png,image/jpeg,.png,.jpg,.jpeg" key={upload.submittedAt}>
          {(props) => (
            <Button
              {...props}
              variant={logo ? 'default' : 'filled'}
              leftSection={<IconUpload size={16} aria-hidden />}
              loading={upload.isPending}
            >
              {logo ? 'Replace logo' : 'Choose logo'}
            </Button>
          )}
        </FileButton>
        {logo ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            Remove logo
          </Button>
        ) : null}
        <Text size="sm" className="muted">
          or drop it here. PNG or JPEG, up to {formatFileSize(MAX_LOGO_BYTES)} and {LOGO_PIXELS.toLocaleString('en-US')}{' '}
          pixels in width and height.
        </Text>
      </Group>
      <Text size="sm" className="muted">
        It appears at the top of every screen, on the customer’s page and on PDFs. Quotes already sent keep the logo
        they were sent with.
      </Text>
      {asking ? (
        <ConfirmDialog
          title="Remove the logo?"
          action="Remove logo"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ replaces })}
          onClose={() => setAsking(false)}
        >
          {`Quotes sent from now on show the initial of ${name} instead. Quotes already sent keep this logo.`}
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}

/** The size that fills the logo's area on paper at about 200 dots per inch. */
const SHARP = { width: 440, height: 96 };

function Preview({ scheme, name, logo }: { scheme: 'light' | 'dark'; name: string; logo: KeptLogo }) {
  return (
    <figure className={classes['preview']} style={{ colorScheme: scheme }}>
      <div className={classes['head']}>
        <CompanyMark company={{ name, logo }} />
        <b className={classes['name']}>{name}</b>
      </div>
      <figcaption>On a {scheme} page</figcaption>
    </figure>
  );
}
