// Opens a file that must be read first in a new tab.

/** Rejects if the browser opens no tab. Rejects and closes the tab if the file cannot be read. */
export async function openInTab(read: () => Promise<Blob>): Promise<void> {
  // A browser opens a tab only while it handles the click.
  const tab = window.open('', '_blank');
  if (!tab) throw new Error('The browser does not open a new tab for this page. Allow it and try again.');
  tab.document.title = 'One moment…';
  try {
    tab.location.href = URL.createObjectURL(await read());
  } catch (error) {
    tab.close();
    throw error;
  }
}
