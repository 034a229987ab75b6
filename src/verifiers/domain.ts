/** Domain names as people write them, and the one form in which they are looked up and compared. Asks nobody. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

/** RFC 1035 section 2.3.4, without the dot at the end. */
export const domainMaxLength = 253
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Names that must not be asked for in the DNS: RFC 6761 sections 6.3 and 6.4, RFC 7686, RFC 9476. */
const notInTheDns = new Set(['localhost', 'invalid', 'onion', 'alt'])

/**
 * Lower case, in ASCII (IDNA, UTS 46), without the dot at the end; or what is wrong with it, as a sentence. A spelling
 * that another name would come out of (invisible or full-width characters, percent signs) is refused and not mended:
 * people would see one name in the signed text, and the proof would be about another.
 *
 * Does not find out whether the domain exists.
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
  if (domain === '') return { fault: 'it is not a domain name, or an internationalised one that IDNA does not allow' }
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
  if (parse(domain, { allowPrivateDomains: true }).publicSuffix === domain)
    return { fault: `${domain} is a public suffix, under which many hold names: give a domain below it` }
  return { domain }
}

/** One character after the other, as IDNA does: toLowerCase() of a word would make the last Greek sigma another one. */
const lowerCase = (text: string): string => [...text].map((character) => character.toLowerCase()).join('')
