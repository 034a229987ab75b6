/** Plain names of browsers, read from the headers that those browsers send. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { describeBrowser } from '../../src/auth/sessions/describe-browser.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  [
    'Firefox on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 FxiOS/140.0 Mobile Safari/605.1.15',
  ],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/138.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/138.0.0.0 Safari/537.36`],
  [
    'Edge on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
  ],
  [
    'Opera on macOS',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/138.0.0.0 Safari/537.36 OPR/120.0.0.0`,
  ],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  ['Firefox', 'Mozilla/5.0 (Haiku; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['curl', 'curl/8.5.0'],
  ['Bun', 'Bun/1.4.4'],
])('%s', (words, agent) => {
  expect(describeBrowser(agent)).toBe(words)
})

test.each([
  ['nothing at all', null],
  ['an empty text', ''],
  ['a browser of no list', 'Mozilla/5.0 (compatible; SomethingNew/1.0)'],
  ['a name without a version', 'Firefox'],
  ['markup', '<b>Firefox</b>/1'],
  ['a name of another script', 'متصفح/1'],
])('an unknown browser is not guessed: %s', (_, agent) => {
  expect(describeBrowser(agent)).toBeUndefined()
})

test('the words are a few plain letters, whatever the header says', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `Mozilla/5.0 ${text}`),
      ),
      (agent) => {
        expect(describeBrowser(agent) ?? '').toMatch(/^[A-Za-z0-9_ -]{0,60}$/)
      },
    ),
  )
})
