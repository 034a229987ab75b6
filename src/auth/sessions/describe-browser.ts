/**
 * Describes a User-Agent header in words that its owner recognizes. A browser that claims to be another one is shown as
 * that one, and unknown browsers are not guessed.
 */

/** The first match wins, because most browsers also name those they are compatible with. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[0-9.]+ .*\bSafari\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const findName = (list: typeof browsers, agent: string): string | undefined =>
  list.find(([, mark]) => mark.test(agent))?.[0]

/** "Firefox on Linux"; undefined for one that is not known. */
export function describeBrowser(agent: string | null): string | undefined {
  if (!agent?.startsWith('Mozilla/')) return nameProgram(agent ?? '')
  const [browser, system] = [findName(browsers, agent), findName(systems, agent)]
  return browser === undefined || system === undefined ? browser : `${browser} on ${system}`
}

/** A program names itself first: `curl/8.5.0`. */
const nameProgram = (agent: string): string | undefined => /^([A-Za-z][A-Za-z0-9_-]{0,31})\/[0-9]/.exec(agent)?.[1]
