// Browses the folders and files of every contract that the user may see: GPO, contract, folder.
import { Anchor, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { FileBrowser } from './FileBrowser.tsx';

export default function ContractFoldersPage() {
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.contracts} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ GPO Contracts
      </Anchor>
      <PageTitle>Folders</PageTitle>
      <Title order={1} px={{ base: 'md', sm: 0 }}>
        Folders
      </Title>
      <FileBrowser contractId={null} />
    </Stack>
  );
}
