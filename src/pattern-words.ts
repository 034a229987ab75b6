/** Describes patterns in words, for the sender of a text that does not match. */

import { caip2Pattern, evmAddressPattern, universalAddressPattern } from './wallet/account.ts'

/** For names that people give, such as that of an access key: shown on one line, and never blank. */
export const namePattern = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$'

/** Joins two sentences. A full stop is added unless the first text ends in one, or in the dots of a shortened value. */
export const joinSentences = (first: string, second: string): string =>
  `${first}${/[.…]$/.test(first) ? '' : '.'} ${second}`

/** Removes the end of a sentence before more text follows. */
export const trimEnd = (text: string): string => text.replace(/[.\s]+$/, '')

/** Alphabets, as patterns write them, in words. */
const alphabets: readonly (readonly [string, string])[] = [
  ['a-zA-Z0-9:_-', 'letters, digits, ":", "_" and "-"'],
  ['a-zA-Z0-9_-', 'letters, digits, "_" and "-"'],
  ['A-Za-z0-9_-', 'letters, digits, "_" and "-"'],
  ['A-Za-z0-9_', 'letters, digits and "_"'],
  ['a-z0-9._-', 'lower-case letters, digits, ".", "_" and "-"'],
  ['0-9a-f', 'digits and the letters a to f'],
]

/** Patterns that need more than an alphabet, by the words for them. */
const patternWords: ReadonlyMap<string, string> = new Map([
  [evmAddressPattern, 'must be an EVM address: 0x and 40 hexadecimal digits'],
  [
    universalAddressPattern,
    'must be an address without its chain: 0x and 40 hexadecimal digits, a base58 key or an account name',
  ],
  ['^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$', 'must be an EVM address or a base58 key'],
  [caip2Pattern, 'must be a CAIP-2 chain id, such as eip155:1'],
  [
    '^[a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}:[-.%a-zA-Z0-9]{1,128}$',
    'must be a CAIP-10 account, such as eip155:1:0x and 40 hexadecimal digits',
  ],
  ['^[0-9]+$', 'must be a whole number'],
  [
    '^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$',
    'must be lower-case letters, digits, ".", "_" and "-", with a letter or digit at both ends',
  ],
  ['^[0-9]{1,60}(\\.[0-9]{1,60})?$', 'must be a number such as 12 or 0.5, with at most 60 digits on each side'],
  ['^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$', 'must be names of letters, digits, "_" and "-", with "." between them'],
  ['^[a-z][a-z0-9-]{0,31}$', 'must be a lower-case letter, then lower-case letters, digits and "-", at most 32'],
  ['^[A-Za-z][A-Za-z0-9_]{0,63}$', 'must be a letter, then letters, digits and "_", at most 64'],
  [namePattern, 'must be a text that is not blank, without control characters such as line breaks'],
  [
    '^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$',
    'must be 3 to 32 characters of lower-case letters, digits, ".", "_" and "-", with a letter or digit at both ends',
  ],
  ['^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s]+$', 'must be a URI without blanks, such as https://example.com'],
])

/**
 * The meaning of a pattern, in words. A query spells numbers as text, so only the pattern's description gives their
 * range.
 */
export function describePattern(pattern: string, description = ''): string {
  const range = isOfDigits(pattern) ? /^[0-9]+ to [0-9]+\b/.exec(description)?.[0] : undefined
  if (range !== undefined) return `must be ${range}`
  const known = patternWords.get(pattern)
  if (known !== undefined) return known
  const digits = /^\^\[0-9\]\{1,([0-9]+)\}\$$/.exec(pattern)?.[1]
  if (digits !== undefined) return `must be a whole number of at most ${digits} digits`
  const most = /^\^(?:\(0\|)?\[1-9\]\[0-9\]\{0,([0-9]+)\}\)?\$$/.exec(pattern)?.[1]
  if (most !== undefined)
    return `must be a whole number from ${pattern.startsWith('^(0') ? 0 : 1}, of at most ${Number(most) + 1} digits`
  const [, hexLeast, hexMost = hexLeast] = /^\^0x\[[0-9a-fA-F-]+\]\{([0-9]+)(?:,([0-9]+))?\}\$$/.exec(pattern) ?? []
  if (hexLeast !== undefined)
    return `must be 0x and ${hexLeast === hexMost ? hexLeast : `${hexLeast} to ${hexMost}`} hexadecimal digits`
  const [, prefix = '', letters, least, most2] =
    /^\^(\w*)\[([^\]]+)\](?:\+|\{([0-9]+)(?:,([0-9]+))?\})\$$/.exec(pattern) ?? []
  const alphabet = alphabets.find(([written]) => written === letters)?.[1]
  if (alphabet !== undefined) {
    const length = least === undefined ? '' : `${most2 === undefined ? least : `${least} to ${most2}`} characters of `
    return `must be ${prefix ? `${prefix} and ` : ''}${length || 'made of '}${alphabet}`
  }
  return description ? `must be: ${trimEnd(description)}` : 'must be of another form: the API description shows which'
}

/** Whether the pattern is for a number that is written as text. */
const isOfDigits = (pattern: string): boolean => !/[a-zA-Z]/.test(pattern)
