/** The words of the server's pages by language. Scripts import en.ts, and the bundler takes another language's file. */

import type { Language } from '../../web/languages.ts'
import * as de from './de.ts'
import * as en from './en.ts'

export type Words = typeof en

export const words: Readonly<Record<Language, Words>> = { en, de }
