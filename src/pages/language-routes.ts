/** Switches the language of the pages, in this browser. */
import { AppError } from '../errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { isLanguage, type Language, languages } from '../web/languages.ts'
import { languageCookie } from './words/read-language.ts'

const oneYearSeconds = 31_536_000

export const languageRoutes = ({ addresses }: Pick<Parts, 'addresses'>): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/language',
      callers: ['anyone'],
      rate: 'reads',
      surface: 'untimed',
      bodyFormat: 'form',
      refusalFormat: 'page',
      readers: 'own pages',
      operation: 'unlisted',
    },
    ({ body, request, set }) => {
      if (request.headers.get('sec-fetch-site') === 'cross-site')
        throw new AppError('FORBIDDEN', 'another site asked for this: choose the language on a page of this server')
      const form = body as URLSearchParams
      const language = form.get('language') ?? undefined
      if (!isLanguage(language))
        throw new AppError('VALIDATION_ERROR', `language: give one of ${languages.join(', ')}`, { path: '/language' })
      Object.assign(set.headers, pageHeaders)
      set.headers['set-cookie'] = makeCookie(language, addresses().authUrl.startsWith('https:'))
      set.headers.location = writeReturn(form.get('back') ?? '/')
      set.status = 303
      return ''
    },
  ),
]

const makeCookie = (language: Language, isSecure: boolean): string =>
  new Bun.Cookie({
    name: languageCookie,
    value: language,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: oneYearSeconds,
  }).toString()

/** Relative to this route, because a proxy may put a path before it. The dot keeps the address on this server. */
const writeReturn = (back: string): string => (/^\/[\x21-\x5b\x5d-\x7e]*$/.test(back) ? `.${back}` : './')
