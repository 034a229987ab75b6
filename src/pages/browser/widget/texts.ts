/** Every word the elements say. A page in another language puts its own in their place: `setTexts({ … })`. */
const english = {
  /** Language of the words below, for screen readers. */
  lang: 'en',

  button: 'Verify with your wallet',
  opened: 'Go on in the window that opened.',
  closed: 'The window closed, or lost touch with this page.',
  blocked: 'Your browser blocked the window.',
  here: 'Go on in this tab',
  checking: 'Checking …',
  done: 'Done. The proof is there.',
  back: 'You are back.',
  refused: 'This does not open the gate.',
  unseen: 'Done. The proof is private, so this page cannot check it.',
  unavailable: 'It could not be checked just now. That is not a no.',
  again: 'Check again',
  misused: 'This button is not set up:',

  looking: 'Looking it up',
  holds: 'Proof holds',
  partial: 'Holds in part',
  revoked: 'Proof revoked',
  expired: 'Proof expired',
  private: 'Private proof',
  unknown: 'No such proof',
  unreachable: 'Not looked up',

  /** `{server}` is the host that was asked. */
  lookingMore: '{server} is asked about this proof.',
  holdsMore: '{server} checked this proof, and it holds. Opens the proof.',
  partialMore: '{server} checked this proof: some of it holds, some does not. Opens the proof.',
  revokedMore: 'Its owner revoked this proof. It counts nowhere any more. Opens the proof at {server}.',
  expiredMore: 'This proof has expired. It counts nowhere any more. Opens the proof at {server}.',
  privateMore: '{server} checked this proof, and it holds. What it says, its owner keeps private.',
  unknownMore: '{server} knows no proof of this id.',
  unreachableMore: '{server} could not be asked. That says nothing about the proof. Opens it there.',
}

type Words = Record<keyof typeof english, string>

export const texts: Words = { ...english }

/** Each draws an element that is on the page once more. */
export const redraws = new Set<() => void>()

/** Words that are left out stay as they are. */
export function setTexts(words: Partial<Words>): void {
  Object.assign(texts, words)
  for (const redraw of redraws) redraw()
}
