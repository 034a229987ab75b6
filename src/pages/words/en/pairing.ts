/** The words of connecting a computer and a phone. */

/** The page /pair as the server writes it, for the phone. */
export const pairPage = {
  title: 'Use this phone’s wallet on a computer',
  description: 'Sign with the wallet of this phone for a page on a computer.',
  noScript:
    'Connecting a computer needs JavaScript, which is off in this browser. Turn it on for this page, then open the link again.',
}

/** The script of /pair, on the phone. */
export const pair = {
  failed: 'Not connected',
  noCode:
    'The code is missing. Scan the code on the computer again, with the camera or with the scanner inside your wallet app.',
  loading: 'Loading …',
  asks: 'A computer asks to use a wallet of this phone.',
  server: 'Server',
  purpose: 'For',
  purposes: {
    'sign-in': 'Signing in on the computer',
    verify: 'Making a proof on the computer',
    checkout: 'Passing a gate on the computer',
  },
  site: 'Opened by the site',
  onlyYours:
    'Go on only if this code is on your own computer now. Did someone send you the code, or this page? Then stop: they would act with your wallet.',
  goOn: 'Show the number',
  compare: 'Compare the numbers',
  question: 'Does your computer show the same number?',
  same: 'Yes, the same number',
  different: 'No, or no number',
  confirmThere: 'Now confirm the number on the computer.',
  chooseWallet: 'Choose the wallet for the computer',
  lent: (wallet: string) => `The computer can now ask ${wallet} for signatures.`,
  keepOpen: 'Go on at the computer. Keep this page open.',
  signTitle: 'Sign for the computer?',
  signsIn: <T>(server: T) => ['This signs the computer in at ', server, ' as your wallet.'],
  looks: 'This lets the computer look for your private proofs. It changes nothing.',
  claims: 'This makes a proof in the name of your wallet.',
  links: 'This links your wallet to another wallet. Both then count as one person.',
  delegates: 'This lets an agent act for your wallet.',
  wholeText: 'The whole text',
  sign: (wallet: string) => `Sign with ${wallet}`,
  decline: 'Do not sign',
  declined: 'Not signed. The computer knows.',
  signing: (wallet: string) => `Sign the text in ${wallet}.`,
  sent: 'Signed. Go on at the computer, and keep this page open.',
  switched: (wallet: string) => `You changed the account in ${wallet}. Scan a new code to go on with it.`,
  stop: 'Disconnect from the computer',
  ended: {
    'by-computer': 'The computer is done. You can close this page.',
    'by-phone': 'Disconnected. The computer can ask this phone for nothing more.',
    'numbers-differ': 'Stopped. The computer got nothing. If you expected another number, show a new code and scan it.',
    'second-phone': 'A second phone opened the same code, so it was stopped. The computer got nothing.',
    'computer-gone': 'The page on the computer was closed. Show a new code there to go on.',
    'too-old': 'The time is over. Show a new code on the computer to go on.',
  },
  unknown: 'This code was used, is too old, or the server was restarted. Show a new code on the computer.',
  taken: 'Another phone opened this code already. Show a new code on the computer.',
}

/** The part of the sign-in and verification pages on the computer. */
export const phone = {
  scan: 'Scan this code with your phone',
  how: 'Use the camera, or the scanner inside your wallet app. The code works once, for 5 minutes. Show it to nobody.',
  qr: 'QR code that connects your phone',
  loopback: 'This server is reachable on this computer only. A phone cannot open the code.',
  compare: 'Compare the numbers',
  question: 'Does your phone show the same number?',
  same: 'Yes, the same number',
  different: 'No, or no number',
  confirmThere: 'Now confirm the number on your phone.',
  chooseThere: 'Now choose the wallet on your phone.',
  connected: 'Your phone is connected. Keep its page open.',
  signThere: 'Sign on your phone. It shows the text.',
  stop: 'Disconnect the phone',
  ended: {
    'by-computer': 'The phone was disconnected.',
    'by-phone': 'The phone disconnected. Show a new code to go on with it.',
    'numbers-differ': 'Stopped, because the numbers differ. The phone got nothing. Show a new code to try again.',
    'second-phone': 'Two phones opened the code, so it was stopped. Nobody got anything. Show a new code to try again.',
    'computer-gone': 'The server heard nothing from this page for too long. Show a new code to go on.',
    'too-old': 'The time for this code is over. Show a new one to go on.',
  },
  unknown: 'The server has forgotten this code, perhaps in a restart. Show a new one to go on.',
}
