/** The permissions of a key or an app, in the words that people read when they allow it. */
import { keys } from '../../../words/en/account.ts'
import { scopes as scopeWords } from '../../../words/en/scopes.ts'
import { Tag } from '../parts.tsx'

type Scope = Exclude<keyof typeof scopeWords, 'offline'>

export const scopes = Object.keys(scopeWords).filter((word) => word !== 'offline') as readonly Scope[]

/** Scopes carry the brand on the wire: `svc:core`. */
const readScope = (word: string): string => word.slice(word.indexOf(':') + 1)

export const describeScope = (word: string): string =>
  word === 'offline_access' ? scopeWords.offline : (scopeWords[readScope(word) as Scope] ?? word)

const short: Readonly<Record<string, string>> = keys.scopes

/** One word for each scope; the tooltip holds the whole meaning. */
export const ScopeTags = ({ words }: { readonly words: readonly string[] }) => (
  <span class="scope-tags">
    {words.map((word) => (
      <span key={word} title={describeScope(word)}>
        <Tag>{short[readScope(word)] ?? word}</Tag>
      </span>
    ))}
  </span>
)
