/** Parses domain names as people write them, into the form for look-ups and comparisons. Makes no look-up. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

/** Loaded with the first domain: the list of public suffixes would make every start 7 ms longer. */
const loadSuffixes = () => require('tldts') as typeof import('tldts')

/** RFC 1035 section 2.3.4, without the dot at the end. */
export const domainMaxLength = 253
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Names that must not be looked up in the DNS: RFC 6761 sections 6.3 and 6.4, RFC 7686, RFC 9476. */
const notInTheDns = new Set(['localhost', 'invalid', 'onion', 'alt'])

/**
 * Returns the lower-case ASCII form (IDNA, UTS 46) without the trailing dot, or the fault as a sentence. A spelling
 * that maps to another name (invisible or full-width characters, percent signs) is refused, not corrected. Otherwise
 * people would see one name in the signed text, and the proof would hold another. Does not check that the domain
 * exists.
 */
export function parseDomain(text: string): { readonly domain: string } | { readonly fault: string } {
  if (text.length > 4 * domainMaxLength)
    return { fault: `it is ${text.length} characters long, and a domain has at most ${domainMaxLength}` }
  const plain = text.endsWith('.') ? text.slice(0, -1) : text
  if (isIP(plain.replace(/^\[|\]$/g, '')) !== 0)
    return { fault: 'it is an IP address, which has no TXT records: give a domain' }
  if (/[\s/:?#@\\]/.test(plain))
    return { fault: 'give the name alone, such as example.com: no scheme, port, path, user name or space' }

  const domain = domainToASCII(plain)
  if (domain === '') return { fault: 'it is not a domain name, or an internationalized one that IDNA does not allow' }
  if (domain !== lowerCase(plain) && domainToUnicode(domain) !== lowerCase(plain.normalize('NFC')))
    return { fault: `its characters stand for another name: write it as ${domain}` }

  const labels = domain.split('.')
  if (labels.length < 2) return { fault: 'it has one label only: give a domain with its ending, such as example.com' }
  if (domain.length > domainMaxLength)
    return { fault: `it is ${domain.length} characters long in ASCII form, and ${domainMaxLength} are possible` }
  if (!labels.every((part) => label.test(part)))
    return {
      fault:
        'each part between dots has 1 to 63 letters, digits or hyphens in ASCII form, with no hyphen at either end',
    }
  const ending = labels.at(-1)!
  if (notInTheDns.has(ending)) return { fault: `names that end in .${ending} are not in the DNS` }
  if (loadSuffixes().parse(domain, { allowPrivateDomains: true }).publicSuffix === domain)
    return { fault: `${domain} is a public suffix, under which many hold names: give a domain below it` }
  return { domain }
}

/** Converts each character alone, as IDNA does: toLowerCase() of a word changes the last Greek sigma. */
const lowerCase = (text: string): string => [...text].map((character) => character.toLowerCase()).join('')
