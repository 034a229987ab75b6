/** The words around every page, and of pages without a script. */

/** Around every page. */
export const frame = {
  language: 'Language',
}

export const startPage = {
  title: 'Proofgate',
  description: 'A Proofgate server: wallet-signed claims become portable proofs.',
  heading: 'Prove it with your wallet',
  lead: 'This server checks what you sign and gives you a proof. Anyone can check the proof.',
  gates: 'A gate asks for proofs, and gives something to everyone who has them: a link or a code, for example.',
  buildGate: 'Build a gate',
  signIn: 'Sign in',
  makeProof: 'Make a proof',
  guides: 'Guides',
  reference: 'API reference',
  widget: 'Widget',
  forDevelopers: 'For developers:',
  operator: <T>(name: T) => ['Run by ', name, '.'],
  contact: 'Contact the operator',
}

/** Above the guides, which are in English. Empty on English pages. */
export const guidesPage = { onlyEnglish: '' }

/** Above the reference of the API, which is in English. Empty on English pages. */
export const referencePage = { onlyEnglish: '' }

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
