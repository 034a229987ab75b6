/** The words of the dashboard's first steps, of its command palette, and of its shortcuts. */

export const firstSteps = {
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide this list',
  done: '(done)',
  steps: {
    proof: { title: 'Make a proof', why: 'Sign a text, and anyone can check that it is yours.' },
    gate: { title: 'Build a gate', why: 'Decide who gets in, and what they get.' },
    share: { title: 'Share a gate', why: 'Send its link to the people you want to let in.' },
    connect: { title: 'Connect a program or an assistant', why: 'Make an access key, or sign in from your assistant.' },
    backup: { title: 'Set up backups', why: 'Copy the data folder, so that a broken disk loses nothing.' },
  },
  backupDone: 'I have done this',
}

export const palette = {
  title: 'Go to a page or run a command',
  hint: 'Search pages and commands',
  list: 'Pages and commands',
  count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  searchProofs: (text: string) => `Search your proofs for “${text}”`,
  makeProof: 'Make a proof',
  makeGate: 'Build a gate',
  guides: 'Open the guides',
  reference: 'Open the API reference',
  shortcuts: 'Show the keyboard shortcuts',
}

export const shortcuts = {
  title: 'Keyboard shortcuts',
  everywhere: 'On every page',
  inLists: 'In lists',
  palette: 'Go to a page or run a command',
  help: 'Show this list',
  search: 'Search your proofs',
  close: 'Close a window',
  move: 'Go to another row',
  ends: 'Go to the first or the last row',
  open: 'Open the row',
  choose: 'Select the row',
  range: 'Select more rows',
  all: 'Select all rows',
  clear: 'Clear the selection',
}
