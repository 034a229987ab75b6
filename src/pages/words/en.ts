/**
 * The words of the pages in English. The files of the other languages have the same members. A function takes what is
 * filled in; where that is an element, it returns the parts of the sentence in order.
 */

/** Around every page. */
export const frame = {
  language: 'Language',
}

export const startPage = {
  title: 'Proofgate',
  description: 'A Proofgate server: wallet-signed claims become portable proofs.',
  heading: 'Proofgate is running',
  lead: 'Prove something with your wallet. Use the proof to get in.',
  signIn: 'Sign in',
  signInNote: 'See your proofs, gates and keys',
  makeProof: 'Make a proof',
  makeProofNote: 'Sign a claim and take the proof with you',
  guides: 'Guides',
  guidesNote: 'How to use and run this server',
  reference: 'API reference',
  referenceNote: 'Read and try every operation',
  widget: 'Widget',
  widgetNote: 'Put a gate or a badge into your own pages',
  openApi: 'For programs: the API as OpenAPI 3.1',
  health: 'Health',
  healthNote: 'Check whether this server works',
}

export const refusalPage = {
  headings: {
    NOT_FOUND: 'Page not found',
    RATE_LIMIT_EXCEEDED: 'Too many requests',
    INTERNAL_ERROR: 'Something went wrong',
    SERVICE_UNAVAILABLE: 'Something went wrong',
    STORAGE_FULL: 'This server cannot store anything new',
    other: 'This did not work',
  },
  notFound: 'This server has no page at this address. Check that you copied the whole address.',
  tooOften: (seconds: number) =>
    `This browser, or another one in your network, opened too many pages. Wait ${seconds > 0 ? `${seconds} seconds` : 'a minute'}, then reload this page.`,
  requestId: (id: string) => `Request ${id}`,
  toStart: 'Go to the start page',
}

/** For a link that is wrong. */
export const unusablePage = {
  heading: 'This link does not work',
  lead: 'The link that brought you here is wrong. Nothing happened, and you were not sent anywhere.',
  help: 'Go back and start again. If it happens again, tell the person who made the link.',
  forMaker: 'For the maker of the link',
}

export const signInPage = {
  title: 'Sign in',
  description: 'Sign in to this Proofgate server with a wallet.',
  faults: {
    repeated: (name: string) => `it says ${name} more than once`,
    foreignReturn: 'it leads to an address outside this sign-in',
    agent: 'it sets up an agent, but only asks you to sign in',
    unknownIntent: 'it asks for something that this page cannot do',
    twoPlaces: 'it names two places to go on to: returnTo and another site',
  },
  withoutLink: 'Sign in without the link',
  appTitle: 'An app asks for access',
  appLead:
    'First, sign in with your wallet. The next page shows which app asks, and for what. It gets nothing unless you agree there.',
  lead: 'Sign a short text to show that the wallet is yours. This is free and sends no transaction.',
  siteAsks: <T>(site: T) => [
    'The site ',
    site,
    ' asks which wallet is yours. It gets the answer only if you agree after signing in.',
  ],
  siteAsksWho: <T>(site: T) => [
    'The site ',
    site,
    ' asks who you are. It gets the answer only if you agree after signing in.',
  ],
  siteOnly: <T>(site: T) => [
    'After that, you can go on to ',
    site,
    '. The site learns nothing about you, because the operator of this server has not registered it.',
  ],
  signedIn: 'Signed in',
  youAreSignedIn: 'You are signed in',
  signedInAppLead:
    'An app asks for access. The next page shows which app, and for what. It gets nothing unless you agree there.',
  wallet: 'Wallet',
  siteGets: <T>(site: T, withProfile: boolean) => [
    'The site ',
    site,
    ` asks which wallet is yours. It gets this address${withProfile ? ' and the id of your profile, which is the same for all your linked wallets' : ''}. It cannot act for you.`,
  ],
  siteGetsWho: <T>(site: T) => [
    'The site ',
    site,
    ' asks who you are. If you agree, it gets this address and the id of your profile, which is the same for all your linked wallets. It cannot act for you.',
  ],
  tell: (site: string) => `Tell ${site}`,
  tellWho: (site: string) => `Tell ${site} who I am`,
  goOnSilently: 'Go on without telling',
  goOnTo: (site: string) => `Go on to ${site}`,
  continue: 'Continue',
  toDashboard: 'Go to my proofs',
  signOut: 'Sign out',
  anotherWallet: 'Use another wallet',
  withoutWallet: 'No wallet in this browser?',
  byCommand: 'Sign in with the command line',
  byCommandHelp: <T>(prefix: T) => [
    'Run this where Proofgate and your key are. It prints one long word that begins with ',
    prefix,
    '.',
  ],
  copyCommand: 'Copy the command',
  printed: 'The word that it printed',
  printedHint: 'You can use it once, within 10 minutes.',
  byHand: 'Sign in with another tool',
  address: 'Address of the wallet',
  addressHint: 'An address of Ethereum or a compatible chain (0x…), or of Solana.',
  showText: 'Show the text to sign',
  signExactly: 'Sign exactly this text',
  copyText: 'Copy the text to sign',
  signature: 'The signature',
  signatureHint: 'Ethereum: a personal message (EIP-191) that begins with 0x. Solana: base58 or hexadecimal.',
}

/** The list of wallets on every page that asks for one. */
export const walletChoice = {
  looking: 'Looking for wallets in this browser …',
  none: 'No wallet answered. What you can do:',
  onComputer:
    'On a computer: add a wallet to this browser as an extension (MetaMask, Rabby, Phantom or another), then reload this page.',
  onPhone: 'On a phone: open this page in the browser inside your wallet app. Its address:',
  copyAddress: 'Copy the address of this page',
  wrongAddress: (here: string, home: string) => `This page is open at ${here}. Sign in and make proofs at ${home}.`,
  goHome: (host: string) => `Go on at ${host}`,
  noScript:
    'Asking a wallet needs JavaScript, which is off in this browser. Turn it on for this page, then reload. The page loads no script from elsewhere.',
}

/** The script of the sign-in page. */
export const signIn = {
  failed: 'Not signed in',
  waitingFor: (wallet: string) => `Waiting for ${wallet}. If no window opened, open the wallet.`,
  switched: (wallet: string) => `You changed the account in ${wallet}. Start again.`,
  disconnected: (wallet: string) => `${wallet} disconnected this page. Start again.`,
  signText: (wallet: string) => `Sign the text that ${wallet} shows.`,
  checking: 'Checking the signature …',
  done: 'Signed in.',
  goingOn: 'Signed in. Going on …',
  noToken: 'Paste the word that “proofgate sign” printed.',
  noAddress: 'Enter the address of the wallet that will sign.',
  askingForText: 'Getting the text …',
  noSignature: 'Paste the signature of the text.',
  noWallet: 'No wallet in this browser',
  oneWallet: 'Sign in with',
  chooseWallet: 'Choose a wallet',
  leaving: 'Going on …',
  openerGone: 'The page that opened this window is closed. Go back to the site and start again.',
  signingOut: 'Signing out …',
}
