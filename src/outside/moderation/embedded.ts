/**
 * Judges text by the word list of the package allprofanity, inside this process: English words, also disguised. It knows
 * words, not meaning. Nothing is loaded before the first text comes.
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
 * Roman numerals and crosses stand on the list as `xx` and `xxx`. The Hindi list, which the package always loads, is
 * taken out: it holds words such as `sale` and `Laura`.
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
 * The list reads digits as letters (`sh1t`), so every 455 is a rude word to it. A number alone is none to us. Asked with
 * `check`, which stops at the first word: `detect` of the package takes a time that grows with the square of the matches.
 */
const holdsListedWord = (filter: AllProfanity, text: string): boolean => filter.check(text.replace(/\b\d{3,}\b/g, '0'))
