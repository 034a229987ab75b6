import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDomain } from '../../src/verifiers/domain.ts'

const label63 = 'a'.repeat(63)
const longest = `${`${label63}.`.repeat(3)}${'a'.repeat(61)}`

describe('a domain', () => {
  test.each([
    ['as it is', 'example.com', 'example.com'],
    ['with capitals', 'Example.COM', 'example.com'],
    ['with a dot at the end', 'example.com.', 'example.com'],
    ['with an umlaut', 'bücher.example', 'xn--bcher-kva.example'],
    ['with an umlaut in two code points', 'bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['with a capital umlaut', 'BÜCHER.example', 'xn--bcher-kva.example'],
    ['in ASCII form, with capitals', 'XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['with a sharp s, which is not ss', 'straße.de', 'xn--strae-oqa.de'],
    ['in Greek capitals', 'ΒΌΛΟΣ.com', 'xn--nxasmq6b.com'],
    ['in Greek capitals, with a sigma at the end of a word', 'ΒΌΛΟΣ-1.com', 'xn---1-e9b0buy4d.com'],
    ['below a public suffix', 'me.github.io', 'me.github.io'],
    ['below a suffix of two labels', 'bbc.co.uk', 'bbc.co.uk'],
    ['below a suffix in another script', 'example.公司.cn', 'example.xn--55qx5d.cn'],
    ['that is an exception of the suffix list', 'www.ck', 'www.ck'],
    ['of a private network', 'corp.internal', 'corp.internal'],
    ['with a label of 63 characters', `${label63}.com`, `${label63}.com`],
    ['of 253 characters', longest, longest],
    ['of 253 characters and a dot', `${longest}.`, longest],
    ['with hyphens inside a label', 'a--b.com', 'a--b.com'],
    ['of digits below a real ending', '123.com', '123.com'],
  ])('a domain is normalized: %s', (_, text, domain) => {
    expect(parseDomain(text)).toEqual({ domain })
  })

  test.each([
    ['nothing', '', 'not a domain name'],
    ['a dot', '.', 'not a domain name'],
    ['one label', 'localhost', 'one label'],
    ['one label and a dot', 'com.', 'one label'],
    ['two dots at the end', 'example.com..', 'each part between dots'],
    ['a dot at the start', '.example.com', 'each part between dots'],
    ['an empty label', 'a..com', 'each part between dots'],
    ['IPv4', '192.0.2.1', 'IP address'],
    ['IPv4 with a dot', '192.0.2.1.', 'IP address'],
    ['IPv4 in hexadecimal', '0x7f.1', 'stand for another name: write it as 127.0.0.1'],
    ['IPv4 cut short', '127.1', 'stand for another name'],
    ['a number at the end', 'example.1', 'not a domain name'],
    ['IPv6', '2001:db8::1', 'IP address'],
    ['IPv6 in brackets', '[2001:db8::1]', 'IP address'],
    ['a scheme', 'https://example.com', 'give the name alone'],
    ['a port', 'example.com:443', 'give the name alone'],
    ['a path', 'example.com/', 'give the name alone'],
    ['a user name', 'me@example.com', 'give the name alone'],
    ['a query', 'example.com?x', 'give the name alone'],
    ['a space before', ' example.com', 'give the name alone'],
    ['a space after', 'example.com ', 'give the name alone'],
    ['a line break', 'example.com\n', 'give the name alone'],
    ['a percent sign', 'ex%61mple.com', 'stand for another name: write it as example.com'],
    ['full-width letters', 'ｅｘａｍｐｌｅ.com', 'stand for another name: write it as example.com'],
    ['a full-width dot', 'example。com', 'stand for another name: write it as example.com'],
    ['an invisible character', 'exam\u00adple.com', 'stand for another name: write it as example.com'],
    ['a digit in a circle', '①.com', 'stand for another name'],
    ['a joiner that IDNA does not allow', 'a\u200db.com', 'not a domain name'],
    ['Punycode that is none', 'xn--a.com', 'not a domain name'],
    ['the character 0', 'a\u0000b.com', 'not a domain name'],
    ['an underscore', '_svc.example.com', 'each part between dots'],
    ['a hyphen at the start', '-a.com', 'each part between dots'],
    ['a hyphen at the end', 'a-.com', 'each part between dots'],
    ['a label of 64 characters', `${'a'.repeat(64)}.com`, 'each part between dots'],
    ['254 characters', `a${longest}`, 'it is 254 characters long'],
    ['a wildcard', '*.example.com', 'each part between dots'],
    ['a public suffix', 'co.uk', 'co.uk is a public suffix'],
    ['a public suffix in capitals and with a dot', 'CO.UK.', 'co.uk is a public suffix'],
    ['a public suffix of a company', 'github.io', 'github.io is a public suffix'],
    ['a public suffix in another script', '公司.cn', 'xn--55qx5d.cn is a public suffix'],
    ['a public suffix by a wildcard', 'anything.ck', 'anything.ck is a public suffix'],
    ['a name of this machine', 'app.localhost', '.localhost are not in the DNS'],
    ['a name of Tor', 'example.onion', '.onion are not in the DNS'],
    ['a name outside the DNS', 'example.alt', '.alt are not in the DNS'],
    ['an invalid name', 'example.invalid', '.invalid are not in the DNS'],
  ])('a malformed domain is refused: %s', (_, text, fault) => {
    expect(parseDomain(text)).toEqual({ fault: expect.stringContaining(fault) })
  })

  test('comes out the same when it goes in again, and is never longer than a name may be', () => {
    const word = fc.oneof(fc.domain(), fc.string({ unit: 'grapheme', maxLength: 40 }))
    fc.assert(
      fc.property(word, fc.constantFrom('', '.com', '.example.org.'), (name, ending) => {
        const named = parseDomain(name + ending)
        if ('fault' in named) return named.fault.length > 0
        const again = parseDomain(named.domain)
        return 'domain' in again && again.domain === named.domain && /^[a-z0-9.-]{3,253}$/.test(named.domain)
      }),
      { numRuns: 1000 },
    )
  })
})
