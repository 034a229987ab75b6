/** The rules for messages about a wrong input: plain words that name the input and show nothing of the inside. */

/** Internals that no message may show, each with a name. */
const inside: readonly (readonly [string, RegExp])[] = [
  ['a pattern', /\^[[(0a-zA-Z\\]|\[(?:a-z|A-Z|0-9|\^)|\\[dwsu]|\{\d+,\d*\}|\]\+|must match/],
  [
    'a word of the inside',
    /Expected |\b(?:any|all|one)Of\b|\bUnion|TypeBox|\bKind\b|additionalProperties|\$ref|schema at/,
  ],
  [
    'a pointer',
    /\b(?:at|in|body|data|argument|parameter|header|is|of) ?["']?\/(?!api\/|docs|mcp|oauth|openapi|\.well)\w+/,
  ],
  ['a value of the language', /\bundefined\b|\bNaN\b|\[object |\bTypeError\b/],
  ['a double full stop', /(?<![.…])[.:,…] ?[.,:](?![.\w])/],
  ['no words for a form', /another form: the API description/],
]

/** Returns the internal detail that the message shows, or undefined. */
export const findInside = (message: string): string | undefined => inside.find(([, form]) => form.test(message))?.[0]

interface Refusal {
  readonly code: string
  readonly message: string
  readonly details: { readonly path?: unknown; readonly verifierId?: unknown }
}

/** Returns the fault of a refusal's message, or undefined. */
export function findFault({ code, message, details }: Refusal): string | undefined {
  const shown = findInside(message)
  if (shown !== undefined) return `shows ${shown}: ${message}`
  const names = typeof details.path === 'string' ? details.path.split('/').map(readToken).filter(isName) : []
  const named = names.at(-1)
  const isNamed = named === undefined || plain(message).includes(plain(named)) || code === 'VERIFIER_NOT_FOUND'
  return isNamed ? undefined : `does not name ${named}: ${message}`
}

/** A header has the name of its member with hyphens. */
const plain = (text: string): string => text.toLowerCase().replaceAll('-', '')

const readToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')
const isName = (token: string): boolean => token !== '' && !/^\d+$/.test(token)
