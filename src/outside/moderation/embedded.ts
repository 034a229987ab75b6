/**
 * Judges text in this process by the word list of the package allprofanity: English words, also disguised. It knows
 * words, not meaning. It loads with the first text.
 */
import type { AllProfanity } from 'allprofanity'
import type { Moderator } from './moderation.ts'
import { listReadings } from './readable.ts'

export const embeddedSource = 'moderation.text'

interface WordList {
  readonly filter: AllProfanity
  readonly version: string
}

export function openEmbeddedModerator(): Moderator {
  let loading: Promise<WordList> | undefined
  return {
    name: 'embedded',
    async judge(content) {
      if (content.kind !== 'text') throw new TypeError('the word list judges text only')
      loading ??= loadWordList()
      const { filter, version } = await loading
      const isFlagged = listReadings(content.text).some((reading) => holdsListedWord(filter, reading))
      return {
        model: `allprofanity ${version} (English)`,
        isFlagged,
        categories: { profanity: isFlagged },
        scores: {},
        source: embeddedSource,
      }
    },
  }
}

/**
 * Roman numerals and crosses are on the list as `xx` and `xxx`. The Hindi list, which the package always loads, is
 * removed: it holds words such as `sale` and `Laura`.
 */
async function loadWordList(): Promise<WordList> {
  const [{ AllProfanity }, { version }] = await Promise.all([
    import('allprofanity'),
    import('allprofanity/package.json'),
  ])
  const filter = new AllProfanity({ silent: true, whitelistWords: ['xx', 'xxx'] })
  filter.clearList()
  filter.loadLanguage('english')
  return { filter, version }
}

/**
 * The list reads digits as letters (`sh1t`), so every 455 counts as a rude word. We let numbers alone pass. `check`
 * stops at the first word: the package's `detect` takes time quadratic in the matches.
 */
const holdsListedWord = (filter: AllProfanity, text: string): boolean => filter.check(text.replace(/\b\d{3,}\b/g, '0'))
