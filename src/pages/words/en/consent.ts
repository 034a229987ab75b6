/** The page that asks whether an app may act, and its errors. */

export const consentPage = {
  title: 'Allow access?',
  wants: <T>(app: T) => [app, ' wants to use your account.'],
  unchecked: 'The app chose this name. Nobody has checked it.',
  anyProgram: 'Any program on this computer could have asked, so we ask you every time.',
  onlyYourself: 'Go on only if you have just connected it yourself.',
  noName: 'An app without a name',
  place: 'You will be sent to',
  here: '(this computer)',
  describedAt: 'Described at',
  signedInAs: 'Signed in as',
  choose: 'It will be able to',
  chooseHint: 'Untick what you do not want to allow.',
  notNamed: 'The app did not ask for this by name. Tick it only if you need it.',
  nothingTicked: 'Nothing is ticked. Tick at least one line, or choose Deny.',
  allow: 'Allow',
  deny: 'Deny',
  anotherWallet: 'Use another wallet',
}

export const consentError = {
  unknownTitle: 'This app is not known here',
  unknownLead: 'The app that sent you is not registered on this server, or no longer is.',
  nothingSent: 'Nothing was allowed, and the app got nothing.',
  whatToDo: 'What to do',
  openList:
    'In your assistant or editor, open the list of MCP servers. It is often under Settings, then Connectors, Integrations or MCP.',
  remove:
    'Remove this server, or clear its sign-in. On a command line this is often a “logout” or “remove” of the server.',
  addAgain: <T>(address: T) => ['Add it again: ', address, '. The app then registers anew.'],
  title: 'This cannot go on',
  wrongRequest: 'The app that sent you here made a request that this server cannot answer.',
  goBack:
    'Nothing was allowed, and the app got nothing. Go back to it and connect again. If that does not help, tell its makers.',
  forMakers: 'For the makers of the app',
}
