// Whether a failed call is worth repeating, by its HTTP status. 0: no connection.

/** True for no network, an ended session, too many calls, and a server that is starting or failed. */
export const isPassingStatus = (status: number): boolean =>
  status === 0 || status === 401 || status === 429 || status >= 500;
