/** Dates and numbers as the reader writes them. */
import { formatDecimal } from '../../web/languages.ts'

/** The variant of the page's language that the browser prefers: it decides between 12 and 24 hours, for example. */
function chooseLocale(): string {
  const language = document.documentElement.lang
  return navigator.languages.find((one) => one.split('-')[0] === language && isLocale(one)) ?? language
}

/** A browser may take a name from its system that is no BCP 47 tag: `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

export const locale = chooseLocale()

const counts = new Intl.NumberFormat(locale)
const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

export const formatCount = (count: number): string => counts.format(count)

/** A decimal number as the API writes it, with all its digits. */
export const formatAmount = (amount: string): string => formatDecimal(amount, locale)

/** Unknown where the payment was made before its price was kept. */
export const formatUsd = (amount: string | null): string => `${amount === null ? '?' : formatAmount(amount)} USD`

/** `at` in Unix milliseconds. */
export const formatDay = (at: number): string => days.format(at)

export const formatMoment = (at: number): string => moments.format(at)
