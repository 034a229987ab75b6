/** Times in pages that the server renders. */
import type { Language } from '../web/languages.ts'
import { type Html, html } from './html.ts'

const formats = new Map<Language, Intl.DateTimeFormat>()

function findFormat(language: Language): Intl.DateTimeFormat {
  const known = formats.get(language)
  if (known) return known
  const made = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  formats.set(language, made)
  return made
}

/** UTC, because the server does not know the reader's time zone. The script of the page shows local time instead. */
export const writeMoment = (ms: number, language: Language): string => `${findFormat(language).format(ms)} UTC`

export const renderMoment = (ms: number, language: Language): Html =>
  html`<time datetime="${new Date(ms).toISOString()}">${writeMoment(ms, language)}</time>`
