/** The words about the wallets of a browser. */

/** The list of wallets on every page that asks for one. */
export const walletChoice = {
  looking: 'Looking for wallets in this browser …',
  onComputer:
    'Add a wallet to this browser as an extension (MetaMask, Rabby, Phantom or another). Then reload this page. Or use the wallet on your phone.',
  noPhone: (host: string) =>
    `A phone cannot open ${host}, which is this computer only. Are you the operator? Set base_url to an address that the phone can reach.`,
  onPhone: 'Open this page in the browser inside your wallet app. Tap your app, or copy the address.',
  copyAddress: 'Copy the address of this page',
  wrongAddress: (here: string, home: string) => `This page is open at ${here}. Sign in and make proofs at ${home}.`,
  goHome: (host: string) => `Go on at ${host}`,
  noScript:
    'Asking a wallet needs JavaScript, which is off in this browser. Turn it on for this page, then reload. The page loads no script from elsewhere.',
}

/** The page /pair as the server writes it, for the phone. */
export const pairPage = {
  title: 'Use this phone’s wallet on a computer',
  description: 'Sign with the wallet of this phone for a page on a computer.',
  noScript:
    'Connecting a computer needs JavaScript, which is off in this browser. Turn it on for this page, then open the link again.',
}

/** The wallets of the browser. */
export const wallets = {
  nameless: 'A wallet without a name',
  legacy: 'Wallet of this browser',
  ethereum: 'Ethereum and compatible chains',
  solana: 'Solana',
  none: 'No wallet in this browser',
  another: (wallet: string) => `Choose another account in ${wallet}`,
  waiting: (wallet: string) => `Waiting for ${wallet}. If no window opened, open the wallet.`,
  wrongAccount: (wallet: string, given: string, wanted: string) =>
    `This step needs the account ${wanted}, but ${wallet} gave ${given}. Choose that account in the wallet, then try again.`,
  slow: 'This takes longer than usual.',
  stopWaiting: 'Stop waiting',
  stoppedWaiting:
    'You stopped waiting. The server may still finish what it was doing. Reload this page to see, before you try again.',
  signIn: 'Sign in with your wallet',
  signInWhy:
    'Sign in first. Your wallet signs a short text, and this is free. Then your own proofs count here, and only you see what you get.',
  signText: (wallet: string) => `Sign the text that ${wallet} shows.`,
  checking: 'Checking the signature …',
  list: 'Wallets of this browser',
  noneToSign:
    'We found no wallet in this browser. Open this page in the browser that has your wallet, or inside your wallet app.',
  otherAccount: (wallet: string) =>
    `This is another account of ${wallet}. Choose the account that is named above, then try again.`,
  cancel: 'Cancel',
  phone: 'your phone’s wallet',
  usePhone: 'Use a wallet on my phone',
  connectingPhone: 'Connecting your phone …',
  openIn: (app: string) => `Open in ${app}`,
}
