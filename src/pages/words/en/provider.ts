/** The page that a person comes back to from another service. */

export const providerPage = {
  theProvider: 'the provider',
  unusable: 'This sign-in does not work',
  nothingPassedOn: 'Nothing was passed on.',
  toStart: 'Go to the start',
  signedIn: 'Signed in',
  signedInAt: (service: string) => `Signed in at ${service}`,
  goOn: 'You can go on where you came from.',
  canClose: 'You can close this window now.',
  continue: 'Continue',
  again: 'Start again. If it happens again, tell the operator of this server.',
  doesNotCount: 'This sign-in does not count',
  wrongAnswer: (service: string) => `${service} answered, but the answer cannot be trusted. Nothing was passed on.`,
  forOperator: 'For the operator',
  notAgreed: 'You did not agree',
  notAgreedLead: (service: string) => `${service} says that you did not agree to sign in. This server got nothing.`,
  refused: (service: string) => `${service} refused the sign-in`,
  noAnswer: (service: string) => `${service} gave no usable answer`,
  noAnswerLead: 'This is not a no. The service could not be asked just now. Start again in a while.',
  malformed: 'The address that brought you here is not a return from a service.',
  startThere: 'Go back to where you came from and start the sign-in again.',
  unknown: (minutes: number) => `This sign-in is not known here, or took longer than ${minutes} minutes.`,
  anotherBrowser: 'This sign-in did not begin in this browser.',
  anotherBrowserHelp:
    'Did someone send you a link to sign in? They would have shown your account as theirs. Start your own sign-in here if you want one.',
  repeated: 'This sign-in came back before and is used up.',
  repeatedHelp:
    'If you reloaded the page, go back to where you came from. Start the sign-in again if it is not finished there.',
}
