// Node's flags for the server: without limits the heap grows to several times the needed size on a large machine.
export const SERVER_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-old-space-size=1024',
  '--max-semi-space-size=16',
];
