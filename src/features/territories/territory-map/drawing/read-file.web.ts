// Reads a file of the map from the server.

export async function readFile<T>(url: string): Promise<T> {
  const answer = await fetch(url).catch(() => {
    throw new Error('The server cannot be reached. Check the network, then try again.');
  });
  if (!answer.ok) throw new Error(`The areas could not be loaded (${answer.status}).`);
  return (await answer.json()) as T;
}
