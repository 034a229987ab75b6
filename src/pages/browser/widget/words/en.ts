/** The English words of the elements. */
export const words = {
  /** For screen readers. */
  lang: 'en',

  button: 'Verify with your wallet',
  opened: 'Go on in the window that opened.',
  closed: 'The window closed, or lost its connection to this page.',
  blocked: 'Your browser blocked the window.',
  here: 'Go on in this tab',
  checking: 'Checking …',
  done: 'Done. You have the proof.',
  back: 'You are back.',
  refused: 'This proof does not open the gate.',
  unseen: 'Done. The proof is private, so this page cannot check it.',
  unavailable: 'This could not be checked now. Nothing was decided.',
  again: 'Check again',
  misused: 'This button is not set up:',

  looking: 'Checking …',
  holds: 'Verified proof',
  partial: 'Partly verified',
  imported: 'Imported, not verified',
  revoked: 'Proof revoked',
  expired: 'Proof expired',
  private: 'Private proof',
  unknown: 'No such proof',
  unreachable: 'Not checked',

  /** `{server}` is the host that was asked. */
  lookingMore: 'Asking {server} about this proof.',
  holdsMore: '{server} verified this proof. Opens the proof.',
  importedMore: 'Another server made this proof, and {server} did not verify it. Opens the proof.',
  partialMore: '{server} verified only a part of this proof. Opens the proof.',
  revokedMore: 'The owner revoked this proof, so it no longer counts. Opens the proof at {server}.',
  expiredMore: 'This proof has expired, so it no longer counts. Opens the proof at {server}.',
  privateMore: '{server} verified this proof. Its owner keeps the content private.',
  unknownMore: '{server} has no proof with this id.',
  unreachableMore: '{server} did not answer. The proof may still count. Opens the proof there.',
}
