/** The words of the server's pages by language. Scripts import en.ts, and the bundler takes another language's file. */

import type { Language } from '../../web/languages.ts'
import type * as english from './en.ts'

export type Words = typeof english

/** Each language loads with the first page in it. */
export const words: Readonly<Record<Language, Words>> = {
  get en() {
    return require('./en.ts') as Words
  },
  get de() {
    return require('./de.ts') as Words
  },
}
