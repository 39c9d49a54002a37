// How Node runs the server: by itself it lets the heap grow to several times what is needed on a large machine.
export const SERVER_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-old-space-size=1024',
  '--max-semi-space-size=16',
];
