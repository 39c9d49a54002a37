// One picture in a drawer: large, with its alternative text, the roles it is hidden from, and the details of its file.
import { Checkbox, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { ItemImageGallery, PictureEdit, type PlacedPicture, VIEWERS, type Viewer } from './gallery.contract.ts';
import { VIEWER_LABELS, viewersOf, viewerWords } from './gallery-words.ts';
import classes from './gallery.module.css';
import type { Placed } from './use-gallery.web.ts';

const LABELS = { alt: 'Alternative text', hiddenRoles: 'Hidden from' };

type Values = PictureEdit & { hiddenRoles: Viewer[] };

export function PictureDrawer({ placed: { picture, product }, onClose }: { placed: Placed; onClose: () => void }) {
  const { id, version, alt, hiddenRoles, largeUrl, name } = picture;
  const form = useRecordForm<Values, Values>({
    record: { id, version, alt, hiddenRoles },
    schema: PictureEdit,
    save: (values) => api(ItemImageGallery).SaveItemImage(values),
    onSaved: () => {
      notifications.show({ message: `${name} is saved.` });
      onClose();
    },
  });
  const { values, set, errors } = form;
  return (
    <RecordDrawer title={name} size="lg" onClose={onClose}>
      <Stack>
        {largeUrl ? (
          <img className={classes['large']} src={largeUrl} alt={alt || name} />
        ) : (
          <Text size="sm">This picture is hidden from your role. Show it to your role to see it.</Text>
        )}
        <Text size="sm" className="muted">
          {pictureFacts(picture, product.name)}
        </Text>
        <RecordForm
          form={form}
          labels={LABELS}
          label="Picture"
          inWords={(field, value) => (field === 'hiddenRoles' ? viewerWords(value as Viewer[]) : undefined)}
          onCancel={onClose}
        >
          <Textarea
            label="Alternative text"
            description="What the picture shows, for people who cannot see it. If empty, the name of the item is used."
            data-autofocus
            autosize
            minRows={2}
            maxLength={500}
            value={values.alt}
            onChange={(event) => set({ alt: event.currentTarget.value })}
            error={errors['alt']}
          />
          <ViewerChoice value={values.hiddenRoles} onChange={(next) => set({ hiddenRoles: next })} />
        </RecordForm>
      </Stack>
    </RecordDrawer>
  );
}

/** Chooses the roles that pictures are hidden from. */
export function ViewerChoice({ value, onChange }: { value: Viewer[]; onChange: (hiddenRoles: Viewer[]) => void }) {
  return (
    <Checkbox.Group
      label="Hidden from"
      description="The picture is hidden from them immediately. People who also have another role still see it. Customer: the customer’s page and PDF."
      value={value}
      onChange={(next) => onChange(viewersOf(next))}
    >
      <Stack gap={6} mt="xs">
        {VIEWERS.map((viewer) => (
          <Checkbox key={viewer} value={viewer} label={VIEWER_LABELS[viewer]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function pictureFacts({ width, height, alsoOn }: PlacedPicture, product: string): string {
  return [
    `On ${product}`,
    width && height ? `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')} pixels` : '',
    alsoOn > 0 ? `also on ${countOf(alsoOn, 'other product')}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
