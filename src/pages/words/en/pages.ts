/** The words around every page, and of pages without a script. */

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
