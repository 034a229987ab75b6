/** The words of the dashboard's proofs. */

export const proofList = {
  title: 'Proofs',
  export: 'Export',
  make: 'Make a proof',
  loading: 'Loading your proofs',
  none: 'No proofs match these filters',
  noneText: 'Change the filters, or show all your proofs.',
  showAll: 'Show all proofs',
  label: 'Proofs, the newest first',
  total: (count: string, isOne: boolean, isActive: boolean) =>
    `${count} ${isActive ? 'active ' : ''}${isOne ? 'proof' : 'proofs'}`,
  foundSoFar: (count: string, moment: string) => `${count} found since ${moment}. Still looking …`,
  looking: 'Looking …',
  noneFound: 'None found',
  newestFound: (count: string) => `The newest ${count} matches. Scroll to see more.`,
  found: (count: string) => `${count} found`,
  firstTitle: 'Your first proof takes a minute',
  first:
    'A proof shows what your wallet stands for: a text, an account, a domain or a token. You sign it, and this server checks it. Then you can show it to anyone and use it at gates.',
  makeFirst: 'Make a proof with this wallet',
  demo: 'You can also try everything from a program, with a test wallet:',
  select: (title: string) => `Select ${title}`,
}

/** The words of a status. */
export const proofStates = {
  status: {
    verified: 'Verified',
    partially_verified: 'Partly verified',
    imported: 'Imported',
    expired: 'Expired',
    revoked: 'Revoked',
    replaced: 'Replaced',
    secret_sealed: 'Sealed',
  },
  claim: {
    holds: 'verified',
    imported: 'imported, not verified',
    expired: 'expired',
    revoked: 'revoked',
    fails: 'not verified',
  },
}

export const proofFilters = {
  search: 'Search your proofs',
  placeholder: 'Search, or paste an id',
  labeled: 'Wallets with this label',
  ofWallet: <T>(label: T, address: string) => ['Show the proofs of ', label, ` (${address})`],
  naming: <T>(label: T, address: string) => ['Search for ', label, ` (${address})`],
  kind: 'Kind',
  anyKind: 'All kinds',
  status: 'Status',
  anyStatus: 'Any status',
  privacy: 'Who can see it',
  anyPrivacy: 'Who can see it: all',
  public: 'By link or public',
  wallet: 'Wallet',
  anyWallet: 'All wallets',
  tag: 'Tag',
  anyTag: 'All tags',
  history: 'Show expired and revoked, too',
  clear: 'Clear filters',
}

export const proofDetail = {
  proof: 'Proof',
  loading: 'Loading the proof',
  elsewhere: 'You have no proof with this id. It may belong to someone else, be erased, or be on another server.',
  open: 'Open the page of this proof',
  showTag: 'Show all proofs with this tag',
  copyLink: 'Copy the link',
  details: 'Details',
  made: 'Created',
  expires: 'Expires',
  wallet: 'Wallet',
  about: 'About the wallet',
  id: 'Id',
  did: 'DID of the wallet',
  more: 'And more',
  moreFacts: (count: number) => (count === 1 ? '1 more value' : `${count} more values`),
  reorganised:
    'The chain replaced the block that this proof was read from. The claim is no longer true, so the proof does not count.',
  revoked: <T>(age: T | undefined) => ['You revoked this proof', ...(age ? [' ', age] : []), '. It no longer counts.'],
  expired: <T>(age: T | undefined) => ['This proof expired', ...(age ? [' ', age] : []), '. It no longer counts.'],
  replaced: 'A newer proof of the same claim replaced this one. You can still open it by its id.',
  partly: 'Some of its claims were true when this proof was made. Others were not.',
  imported: 'This proof comes from another server. Nothing of it was verified here, so it counts at no gate.',
  notFinal: 'This server checked the proof when it was made. Its block is not final yet, so the server watches it.',
  held: 'This server checked the proof when it was made.',
  content: 'Content',
  noContent: 'This proof has no content besides the facts above.',
  showContent: 'Show the content',
  copyContent: 'Copy the content',
  hideContent: 'Hide the content',
}

/** How anyone checks a proof without this server. */
export const proofCopy = {
  title: 'Verify it yourself',
  portable:
    'The portable proof is a file. Anyone can check it without this server. It contains everything that you signed, so share it with care.',
  download: 'Download the portable proof',
  copy: 'Copy the portable proof',
  unsigned:
    'No wallet signed this proof, so it counts on this server only. To get a portable proof, make the proof again and sign it.',
  notKept: <T>(command: T) => [
    'This server keeps no portable copy of this proof. You got it once, when you made the proof. Anyone with that file can check it with ',
    command,
    '.',
  ],
}

export const proofSharing = {
  title: 'Shared with',
  loading: 'Looking up who can read it',
  nobody: 'You share it with no other wallet.',
  since: <T>(begin: T, end: T | undefined) => [
    'since ',
    begin,
    ...(end ? [', ends ', end] : [', until you stop sharing']),
  ],
  stop: 'Stop sharing',
  stopWith: (wallet: string) => `Stop sharing with ${wallet}`,
  newest: 'Only the newest are shown.',
  link: 'Send them this link. It opens the proof after they sign in with a wallet of this list.',
  copyLink: 'Copy the link',
  shared: <T>(wallet: T) => ['You shared the proof with ', wallet, '. Now send its owner the link.'],
  stopped: 'No longer shared.',
  noAddress: 'Enter the address of a wallet.',
  wrongAddress:
    'This is not a wallet address. Enter an address that begins with 0x, or a Solana address. For a contract wallet, name its chain first, as in eip155:8453:0x…. Names such as name.eth do not work.',
  wallet: 'Share with a wallet',
  until: 'For how long',
  forever: 'Until you stop sharing',
  share: 'Share the proof',
  hint: (hasText: boolean) =>
    `The owner of that wallet can read everything you see here${hasText ? ', including the content' : ''}. You can stop sharing at any time. What was read or copied before stays known.`,
  noText: 'This proof keeps no text. The reader sees only its fingerprint.',
}

/** The proofs that others share with the person. */
export const sharedWithMe = {
  title: 'Shared with me',
  lead: 'Private proofs that others let your wallets read.',
  loading: 'Looking for shared proofs',
  none: 'Nobody shares a proof with you',
  noneText: 'To see a proof here, give its owner the address of your wallet:',
  by: <T>(wallet: T) => ['by ', wallet],
  since: <T>(begin: T, end: T | undefined) => ['since ', begin, ...(end ? [', ends ', end] : [])],
  with: <T>(wallet: T) => ['with your wallet ', wallet],
  more: 'Show more',
  leave: 'Give up access',
  leaveOne: (title: string) => `Give up access to ${title}`,
  leaveTitle: 'Give up access to this proof?',
  leaveYes: 'Give up the access',
  leaveEffect: 'You can no longer read it. Its owner can share it with you again.',
  left: 'You gave up the access.',
}

export const shareLinks = {
  title: 'Links',
  hint: (hasText: boolean) =>
    `Everyone who has a link can read the proof${hasText ? ' and its content' : ''} until the link ends. They need no wallet. They get no portable copy.`,
  loading: 'Looking up the links',
  nameless: 'Link without a name',
  lasts: <T>(begin: T, end: T) => ['Made ', begin, ', ends ', end, '.'],
  opened: <T>(count: number, last: T | undefined) =>
    last === undefined ? ['Not opened yet.'] : [`Opened ${count === 1 ? 'once' : `${count} times`}, last `, last, '.'],
  end: 'End this link',
  endOne: (name: string) => `End this link: ${name}`,
  ended: 'The link has ended.',
  made: <T>(end: T) => [
    'Everyone with this link can read the proof. It ends ',
    end,
    '. Copy it now, because it is shown only once.',
  ],
  copy: 'Copy the link',
  label: 'Name of the link',
  howLong: 'It works for',
  chosenDay: 'Until a day …',
  lastDay: 'Last day',
  noDay: 'Choose today or a later day.',
  make: 'Make a link',
}

export const proofVisibility = {
  change: 'Change who can see it',
  title: 'Change who can see this proof',
  now: 'now',
  same: 'Choose another visibility to see what changes.',
  effects: 'What changes',
  effect: {
    leavesList: 'It leaves the public list of your wallet.',
    content: 'Everyone can read its content, too.',
    shown: 'What others read or copy from then on stays known, even if you make it private again.',
    copies:
      'You cannot take back what others read, saved or copied. Caches and search engines may keep it for a while.',
    ipfs: 'Its copy on IPFS stays public.',
    chain: 'Its record on a chain stays public.',
    gates: 'Checks by others no longer find it. You can still use it at gates.',
  },
  sign: 'Sign the change',
  does: {
    private: 'Sign and make it private',
    unlisted: 'Sign and show it by link',
    listed: 'Sign and make it public',
  },
  signWhy:
    'Only the wallet of the proof can change this. It shows a text to sign. Nothing is sent, and it costs nothing.',
  changed: (word: string) => `Changed: ${word}.`,
}

export const proofRevoking = {
  revoke: 'Revoke this proof',
  title: 'Revoke this proof?',
  yes: 'Revoke the proof',
  effects: [
    'The proof no longer counts, at any gate or check.',
    'The wallets you shared it with can no longer read it. Its id stays known, as revoked.',
    'You cannot undo this. You can make a new proof of the same claim.',
    'Portable copies still show that you signed. This server tells everyone who asks that the proof is revoked.',
  ],
}

/** The actions for the selected proofs. */
export const selection = {
  label: 'Selected proofs',
  count: (count: number) => (count === 1 ? '1 proof' : `${count} proofs`),
  selected: (count: number) => `${count === 1 ? '1 proof' : `${count} proofs`} selected`,
  export: 'Export',
  revoke: 'Revoke',
  all: (count: number) => `Select all ${count} loaded`,
  none: 'Clear the selection',
  title: (count: number) => (count === 1 ? 'Revoke 1 proof?' : `Revoke ${count} proofs?`),
  progress: (done: number, all: number) => `${done} of ${all} revoked. `,
  wait: (seconds: number) => `The server asks to wait ${seconds} seconds. Then it goes on by itself.`,
  revoked: 'Revoked',
  stop: 'Stop',
  yes: (count: number) => (count === 1 ? 'Revoke 1 proof' : `Revoke ${count} proofs`),
  done: (count: number) => (count === 1 ? '1 proof is revoked.' : `${count} proofs are revoked.`),
}

export const proofExport = {
  all: 'Export all proofs',
  list: 'Export the proofs of this list',
  chosen: (count: number) => (count === 1 ? 'Export 1 selected proof' : `Export ${count} selected proofs`),
  form: 'Format',
  portable: 'Portable proofs',
  portableHint:
    'Each line has the wallet, the signed text and the signature. Anyone can check them without this server. Only proofs with a portable copy are included.',
  records: 'Records',
  recordsHint:
    'Each line has what this server knows about a proof, as in its API, with its links and your labels. All proofs are included.',
  progress: (looked: string, count: string) => `${looked} checked, ${count} in the file …`,
  wait: (seconds: number) => ` The server asks to wait ${seconds} seconds. Then it goes on by itself.`,
  stop: 'Stop',
  start: 'Export the proofs',
  again: 'Export again',
  nothing: 'There is nothing to export.',
  saved: (count: string, file: string) => `${count} saved in ${file}.`,
  stopped: ' You stopped the export, so some are missing.',
  without: (count: string, isOne: boolean) =>
    ` This server keeps no portable copy of ${count} ${isOne ? 'proof. You got it when you made the proof.' : 'proofs. You got them when you made the proofs.'}`,
}

export const proofErasing = {
  more: 'More',
  erase: 'Erase everything …',
  title: 'Erase everything of this wallet?',
  yes: 'Erase everything',
  wallet: 'Wallet:',
  effects: [
    'This server deletes every proof of the wallet, with its facts, its content and its sharing.',
    'What depends on these proofs ends: passed gates, linked wallets and agents.',
    'You cannot undo this, and nobody can restore it. Export first what you want to keep.',
    'Portable files stay with the people who have them. Copies on chains and on IPFS stay, too.',
  ],
  /** Typed to confirm, in small letters. */
  word: 'erase',
  typeWord: (word: string) => `Type “${word}” to continue`,
  erasing: (left: number) =>
    `Erasing has begun. Nobody can find your proofs any more. The server still deletes ${left} of them.`,
  erased: (count: number) => (count === 1 ? '1 proof is erased.' : `${count} proofs are erased.`),
  traces: ' Some text may still be in the files of the database. The server clears them as soon as it can.',
}
