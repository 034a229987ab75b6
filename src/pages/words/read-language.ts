/** The language of a page: the one that the reader switched to, else the first that their browser asks for. */
import { defaultLanguage, isLanguage, type Language } from '../../web/languages.ts'

export const languageCookie = 'proofgate_language'

/** Browsers ask for a handful. */
const mostAsked = 20

export function readLanguage(headers: Headers): Language {
  const chosen = new Bun.CookieMap(headers.get('cookie') ?? '').get(languageCookie) ?? undefined
  if (isLanguage(chosen)) return chosen
  return listAsked(headers.get('accept-language') ?? '').find(isLanguage) ?? defaultLanguage
}

/** Primary tags in the order of preference (RFC 9110 section 12.5.4). A weight of zero means "not this one". */
const listAsked = (header: string): string[] =>
  header
    .split(',')
    .slice(0, mostAsked)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { tag: tag.split('-')[0]!, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
