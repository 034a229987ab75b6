/** The page where the one-time link for an operator leads. */

export const operatorLink = {
  overTitle: 'This link no longer works',
  overLead: 'A link for an operator works once. This one was used, replaced by a newer one, or is too old.',
  isOperator: 'Your wallet is an operator of this server already.',
  open: 'Open the operator pages',
  another: 'To get another link, run this where the server runs:',
  copyCommand: 'Copy the command',
  after: 'Then open the link that it prints, and sign in.',
  title: 'Become the operator',
  lead: 'The operator sees the health, limits, audit log and numbers of this server in the dashboard.',
  noScript:
    'This page needs JavaScript, which is off in this browser. Turn it on for this page and open the link again.',
  signInFirst: 'First, sign in with the wallet of the operator. Then you come back here.',
  signIn: 'Sign in with a wallet',
  wallet: 'Wallet',
  usedUp: 'This uses the link up. More operators need another link, or an entry in the configuration.',
  accept: 'Make this wallet the operator',
  onlyLinked: <T>(wallet: T) => [
    'This wallet is only linked to another one. Sign in with ',
    wallet,
    ', or with a wallet that is not linked.',
  ],
  anotherWallet: 'Use another wallet',
  notDone: 'Not done',
  newLink: 'To get a new link, run this where the server runs:',
  incomplete: 'The end of the link is missing, after the sign #. Open the whole link.',
  making: 'Making this wallet the operator …',
  sessionOver: 'Your session has ended. The link still works.',
  signInAgain: 'Sign in again',
  tooMany: (seconds: number) => `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  used: 'This link was used already, or a newer one replaced it.',
}
