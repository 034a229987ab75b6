/** The words of /verify. */

/** The page /verify as the server writes it. */
export const verifyPage = {
  description: 'Make a proof with a wallet, or pass a gate.',
  startWithoutLink: 'Start without the link',
  makeProof: 'Make a proof',
  whatToProve: 'What do you want to prove?',
  lead: 'You sign each proof with your wallet. This is free and sends no transaction.',
  noneTitle: 'No verification here',
  noneHeading: 'This server offers no verification now',
  none: 'You cannot prove anything here until the operator changes the settings. You can still read and check older proofs.',
  forOperator: (setting: string, titles: string) => `For the operator: the setting ${setting} switches off ${titles}.`,
  walletShows:
    'First your wallet asks whether this site may see your address. Later it shows a text to sign. Nothing is sent, and it costs nothing.',
  switchedOff: 'The operator has not turned it on.',
  askOperator: 'Ask the operator of this server for it.',
  allKinds: 'See all kinds of proofs',
  backToWallets: 'Back to your wallets',
  willSay: (says: string) => `The proof will say: “${says}”`,
  noGate: 'No gate here',
  startPage: 'Go to the start page',
  verification: 'Verification',
  linkSays: 'The link that brought you here says:',
  notOffered: (title: string) => `This server does not offer “${title}” now.`,
  destination: <T>(site: T, tellsWho: boolean) => [
    'At the end you can go on to ',
    site,
    `. The site then gets the id of the proof${tellsWho ? ' and, if you agree, who you are' : ''}.`,
  ],
}

/** The script of /verify: the steps, the wallets, and the end. */
export const verify = {
  failed: 'Not yet',
  theWallet: 'The wallet',
  accountChanged: (wallet: string) => `You changed the account in ${wallet}.`,
  chooseThatOfProof: 'Choose the wallet of the proof there.',
  chooseNext: 'Choose a wallet to continue.',
  disconnected: (wallet: string) => `This page lost its connection to ${wallet}.`,
  siteNotTold: 'The site got nothing.',
  firstHasNoEffect: 'The step that you began with the first account does not count.',
  mayBePaid:
    'Did you confirm the payment? Then do not pay again: enter its transaction at the payment, under “Paid from elsewhere?”.',
  stepOf: (at: number, all: number, title: string) => `${at} of ${all}: ${title}`,
  yourProof: 'Your proof',
  signedBy: 'This step is signed by',
  signedInAs: 'Signed in as',
  othersPutAside: 'Another wallet did some steps of this link. They do not count here. Its proofs still exist.',
  done: 'Done',
  loadingGate: 'Loading the gate …',
  signWithWallet: 'Sign with your wallet',
  chooseWallet: 'Choose a wallet',
  agentWallet: 'The wallet of the agent',
  controllerWallet: 'Your wallet, which lets the agent act',
  sessionOver: 'Your session has ended. Sign in again to go on. Nothing was lost.',
  wallet: 'Wallet',
  contractOn: 'Contract wallet on',
  connectedThrough: (wallet: string) => `Connected through ${wallet}. `,
  signedInWithoutWallet: 'You are signed in. No wallet is connected. ',
  anotherWallet: 'Use another wallet',
  unsigned: 'Make it without a signature',
  unsignedWhy: (wallet: string) =>
    `You are signed in as ${wallet}, so this server accepts your claim without a signature.`,
  unsignedLimits: 'An unsigned proof counts on this server only. Nobody can check it elsewhere.',
  goOnUnsigned: 'Go on without a signature',
  stepDone: 'Done.',
  stepReused: 'Done, with a proof that you made before.',
  proofId: 'Id of the proof',
  goOn: 'Go on',
  again: 'Do it again',
}

/** The form of a claim, and the proof that it makes. */
export const claim = {
  optional: ' optional',
  oneOf: ' one of these is enough',
  title: 'Title',
  titleHint: 'A name for this proof. Everyone who may see the proof sees its title.',
  keep: 'Keep a portable copy for me',
  keepHint: 'Only you can get this file. Whoever you give it to can check the proof without this server.',
  notSigned: 'No wallet signs this proof.',
  signHint: 'Your wallet shows a text to sign. Nothing is sent, and it costs nothing.',
  submit: 'Sign and check',
  submitUnsigned: 'Make the unsigned proof',
  preparing: 'Preparing …',
  checking: 'Checking …',
  lookingUp: 'Checking. This can take a few seconds …',
  signText: (wallet: string) => `Sign the text that ${wallet} shows.`,
  missing: (field: string) => `${field} is missing.`,
  wrongForm: 'is not valid',
  invalid: (field: string, rule: string) => `${field} ${rule}.`,
  chooseAgain: 'Choose the file again.',
  notJson: 'This is not JSON.',
  asJson: 'As JSON.',
  siteCannotSee: (site: string) => ` The site ${site} cannot see what it says.`,
}

/** A proof that the person made before. */
export const earlierProof = {
  found: (count: number) =>
    `You made ${count === 1 ? 'this proof' : `${count} of these proofs`} before. Use the newest one, or make another below.`,
  id: 'Id',
  use: 'Use the proof I have',
  question: 'Did you make this proof before?',
  privateNote: 'To look among your private proofs, sign with your wallet. This is free and makes no proof.',
  look: 'Look among my proofs',
  none: 'You have no proof of this kind yet.',
}

/** The step that links a second wallet. */
export const walletLink = {
  order: (primary: string) => `First choose ${primary}, your primary wallet. Then choose the wallet to link to it.`,
  firstWallet: 'First wallet',
  secondSigns:
    'Now the second wallet signs. If it is another account of the same wallet, switch to it there. Then choose the wallet here.',
  needsFirst: 'Linking needs the first wallet, too. Choose “Use another wallet” above and connect it.',
  secondWallet: 'Second wallet',
  isFirst: (wallet: string) =>
    `This is the first wallet, ${wallet}. Switch to the other account in the wallet, then try again.`,
  signText: (wallet: string) => `Sign the text that ${wallet} shows. It says that both wallets belong together.`,
  secondSigned: 'Second wallet (signed)',
  firstSigns: 'Now the first wallet signs.',
  switchBack: 'If it is another account of the same wallet, switch back to it there.',
}

/** An account at another service, an organization, or proof of being human. */
export const accountStep = {
  nobody: 'The operator has set up no service for this.',
  cannotLoad: 'The list of services could not be loaded. Reload this page to try again.',
  submit: 'Go there and sign in',
  organization: 'Where your organization signs in',
  service: 'Service',
  askedFor: 'Asked for: ',
  leave: 'You leave this page, sign in at the service, and come back. We read only who you are there.',
  goingTo: (service: string) => `Going to ${service} …`,
  unreachable: 'This page cannot reach the service.',
  notAgreed: 'You did not agree to sign in at the service. Try again, and agree there.',
  noAnswer: 'The service gave no usable answer just now. Try again later.',
  notCounted: 'The sign-in does not count. Try again. If it happens again, tell the operator of this server.',
  finish: (service: string) => `Finish with ${service}`,
  back: (service: string) => `You are back from ${service}. One step is left.`,
  startOver: 'Start over',
  startOverNote: ' with another account or service',
  theService: 'the service',
}

/** The end of /verify, and telling a site. */
export const result = {
  reused: (title: string) => `${title}: you already had this proof`,
  proofId: 'Id of the proof',
  notSigned: 'Not signed.',
  view: 'View and share',
  copyLink: 'Copy the link',
  copied: 'Copied',
  copyByHand: 'Copy it by hand',
  save: 'Save the portable proof',
  saved: 'Saved',
  another: 'Make another proof',
  sameKind: 'Make another of this kind',
  signIn: 'Sign in to see your proofs',
  toProofs: 'Go to my proofs',
  goOn: 'Go on',
  goBack: 'Go back',
  linked: 'The wallets are linked',
  backToWallets: 'Back to your wallets',
  onlyYou: 'Private. Only you can read it.',
  signInToShare: ' Sign in to share it.',
  everyone: 'Everyone with the link can read it.',
  leaves: <T>(site: T, tellsId: boolean) => [
    'You leave for ',
    site,
    tellsId ? '. The site gets the id of the proof.' : '.',
  ],
  goOnTo: (site: string) => `Go on to ${site}`,
  openerGone: 'The page that opened this window is closed. Go back to it and start again, or give it the id above.',
  told: <T>(site: T) => ['The page at ', site, ' got the result. You can close this window.'],
  close: 'Close this window',
  tellWho: (site: string) => `Tell ${site} who you are?`,
  siteGets: <T>(wallet: T) => [
    'It gets the address ',
    wallet,
    ', the id of your profile (the same for all your linked wallets), and the ids and kinds of these proofs, private ones too. It cannot act for you.',
  ],
  onlyProofAndWallet: 'Send only the proof and its wallet',
  onlyProof: 'Send only the id of the proof',
  agree: (site: string) => `Tell ${site} who I am`,
  agreeAndSignIn: (site: string) => `Sign in and tell ${site}`,
  otherWallet: <T>(wallet: T) => [
    'You are signed in as ',
    wallet,
    ', but another wallet made the proof. The site gets that one. ',
  ],
  oneMoreText: 'To sign in, your wallet signs one more text. This is free and sends no transaction.',
  onlyWalletOfProof: ' This browser is then signed in only with the wallet of the proof.',
  signInWithProofWallet: 'Sign in with the wallet of the proof',
  askingForCode: 'Preparing the answer for the site …',
  sessionOver: 'Your session has ended, and the site got nothing. Sign in again, or go back without it.',
}
