// Decides by HTTP status whether a failed call is worth repeating. 0 means no connection.

/** Returns true for no connection, an ended session, too many calls, and a server that is starting or has failed. */
export const isPassingStatus = (status: number): boolean =>
  status === 0 || status === 401 || status === 429 || status >= 500;
