/** The languages of the pages: BCP 47 tags, the default first, each with its own name for itself. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languageNames
export const languages = Object.keys(languageNames) as Language[]
export const defaultLanguage: Language = 'en'

export const byLanguage = <T>(make: (language: Language) => T): Readonly<Record<Language, T>> =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, T>

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(languageNames, text)

/** A decimal number with a point, with all its digits, as a locale writes it. Exact: it never becomes a binary number. */
export function formatDecimal(amount: string, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(amount as `${number}`)
}
