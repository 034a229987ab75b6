/** The page that demonstrates the widget. */

export const widgetPage = {
  title: 'A gate in your page',
  description: 'Lines to put a gate of this server into your page, and how it looks.',
  lead: 'Put these three lines into your page. Visitors prove what the gate asks for, and your page gets the result.',
  copyLines: 'Copy the lines',
  looks: 'How it looks',
  wrongId: 'This is not an id of a gate. Use 1 to 80 characters of a-z A-Z 0-9 : _ -',
  hears: 'What your page gets',
  badge: <T>(badge: T) => ['The badge of this proof: ', badge],
  copyLine: 'Copy the line',
  askServer: 'Anyone can fake what a browser says. Let your server ask before it lets someone in:',
  copyCommand: 'Copy the command',
  own: 'Try it with your gate',
  gateId: 'Id of the gate',
  show: 'Show it',
  noScript: 'The widget needs JavaScript, which is off in this browser.',
}
