// Node's flags for the server. Without limits the heap grows to several times the needed size on a large computer.
export const SERVER_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-old-space-size=1024',
  '--max-semi-space-size=16',
];
