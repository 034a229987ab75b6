/** Addresses that browsers would repair are no addresses: not for redirects, rewards, links, clients or settings. */
import { describe, expect, test } from 'bun:test'
import { parseServerUrl } from '../../src/commands/server-url.ts'
import { isEndpoint, isWebAddress } from '../../src/config/address.ts'
import { findAddressFault } from '../../src/gates/definition/contradictions.ts'
import { returnUrlFault } from '../../src/http/return-url.ts'
import { judgeRedirectUri } from '../../src/oauth/redirect-uri.ts'
import { readWebAddress } from '../../src/pages/browser/result.ts'
import { parseWebUrl } from '../../src/web-url.ts'
import { startApp } from '../app.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { expectRefused } from './refused.ts'

const repaired = [
  'https:e.example',
  'https://.',
  'https://.e.example/',
  'https://e..example/',
  'https://e.example../',
  'https:/e.example',
  'https:///e.example',
  'https:\\\\e.example',
  'https://e.example\\@evil.example',
  'https:\\e.example/',
  'https://user@e.example/',
  'https://user:word@e.example/',
  'https://@e.example/',
  'https://e%2eexample/',
  'https://e.example/a\tb',
  'https://e.example/a\nb',
  ' https://e.example/',
  'https://e.example/ ',
  'https://e.example/\u200bx',
  'http://2130706433/cb',
  'https://0x7f.1/',
  'https://127.1/',
  'https://e\u3002example/',
  'https://\u24d4.example/',
  'https://e.example:/',
  'https://e.example:00443/',
  'https://',
  'https://?x',
  '//e.example/',
  'e.example',
  'javascript:alert(1)',
  'data:text/html,x',
]

describe.each(repaired)('%j', (text) => {
  test('is refused as a web address by every reader', () => {
    expect(parseWebUrl(text)).toBeUndefined()
    expect(returnUrlFault(text)).toBeString()
    expect(findAddressFault(text)).toBeString()
    expect(judgeRedirectUri(text, [])).not.toBe('usable')
    expect(isEndpoint(text)).toBe(false)
    expect(isWebAddress(text)).toBe(false)
    expect(readWebAddress(text)).toBeUndefined()
    expect(() => parseServerUrl(text)).toThrow(/--url/)
  })
})

test.each([
  'https://e.example',
  'https://e.example/a?b=c@d%2e#f',
  'http://localhost:3000/x',
  'https://[2001:db8::1]:8443/',
  'HTTPS://E.example/',
  'https://127.0.0.1:443/',
  'https://b\u00fccher.example/',
])('%p is a web address', (text) => expect(parseWebUrl(text)?.href).toBe(new URL(text).href))

describe('over HTTP', () => {
  test.each(['https:e.example', 'https:/e.example/x', 'https://@e.example/'])(
    '%p is refused as redirect target, reward and page to return to',
    async (address) => {
      const app = await startApp()
      const client = await app.post('/oauth/register', { client_name: 'x', redirect_uris: [address] })
      expect(client).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
      for (const more of [{ rewards: [{ kind: 'redirect', value: address }] }, { successReturnUrl: address }])
        expectRefused(await apply(app, definitionOf(more)), 'VALIDATION_ERROR', /https|must hold no user/)
      const page = await app.get(`/verify?returnUrl=${encodeURIComponent(address)}`, { accept: 'text/html' })
      expect(page.status).toBe(400)
    },
  )
})
