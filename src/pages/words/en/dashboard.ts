/** The words of the dashboard's page, its frame, and the parts that its views share. */

/** The page as the server writes it. */
export const dashboardPage = {
  loading: 'Loading …',
  noScript: 'The dashboard needs JavaScript. Without JavaScript, use the commands of Proofgate or the API.',
}

/** Names of the views, in the menu and in the title of the window. */
export const viewTitles = {
  '/': 'Proofs',
  '/shared-with-me': 'Shared with me',
  '/gates': 'Gates',
  '/gates/new': 'New gate',
  '/gates/:gateId': 'Gate',
  '/payments': 'Payments',
  '/keys': 'Access keys',
  '/apps': 'Connected apps',
  '/secrets': 'Secrets',
  '/wallets': 'Wallets',
  '/sessions': 'Sessions',
  '/operator': 'Health',
  '/operator/limits': 'Rate limits',
  '/operator/catalog': 'Providers',
  '/operator/audit': 'Audit log',
  '/operator/numbers': 'Numbers',
}

export const dashboard = {
  notFound: 'Page not found',
  notFoundLead: 'The dashboard has no page at this address.',
  skip: 'Skip to the content',
  menu: 'Menu',
  dashboard: 'Dashboard',
  search: 'Search',
  paletteHint: 'Choose with the arrow keys, then press Enter.',
  yours: 'Your pages',
  operator: 'Operator',
  signedInAs: 'Signed in as',
  reference: 'API reference',
  signOut: 'Sign out',
  language: 'Language',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  onlyHere: 'This address works on this computer only.',
  copyCommand: 'Copy the command',
  copied: 'Copied',
  copyByHand: 'Copy it with the keyboard',
  copyValue: (value: string) => `Copy ${value}`,
  optional: 'optional',
  loading: 'Loading',
  tryAgain: 'Try again',
  justNow: 'just now',
  inAMoment: 'in a moment',
  claims: 'Proof of several claims',
  leave: (what: string) => `${what} Leave anyway?`,
  switchDrops: 'Switching the language loads the page anew. What you typed and did not save is lost. Switch anyway?',
  leaveDrafts:
    'Your drafts of gates contain texts of rewards or wallets of guests. Signing out erases these from this browser. The rest of the drafts stays. Sign out?',
}

/** Said when the session ended. */
export const sessionNotice = {
  gone: 'Your session has ended. What you typed is still on this page.',
  somebodyElse: 'Someone else signed in, in another tab. You can still read this page, but you cannot change anything.',
  signIn: 'Sign in again in a new tab',
  comeBack: ', then come back to this one.',
}

/** While the server does not answer. */
export const slowness = {
  slow: 'This takes longer than usual.',
  verySlow: 'The server has not answered yet.',
  slowChange: 'The server is still working on what you asked.',
  verySlowChange: 'The server has not answered yet. You can wait, or stop waiting. It may still do what you asked.',
  stopWaiting: 'Stop waiting',
}

/** Why a request failed. */
export const failure = {
  unread: 'We could not reach the server. This page keeps trying.',
  unsure: 'We could not reach the server. It may have done what you asked. Look again in a moment.',
  page: 'Something failed in this page. Reload it.',
  tooMany: (seconds: number) => `Too many requests. Wait ${seconds} seconds, then try again.`,
}

/** The names that a person gives to wallets. */
export const walletLabels = {
  add: (wallet: string) => `Label ${wallet}`,
  change: (wallet: string) => `Change the label of ${wallet}`,
  label: (wallet: string) => `Label for ${wallet}`,
  hint: 'Only you see it. Leave it empty to remove it.',
  save: 'Save',
  saved: 'The label is saved.',
  removed: 'The label is removed.',
  ensName: 'ENS name',
}
