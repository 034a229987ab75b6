/**
 * Refuses a query of doubtful meaning. Of two values one would be chosen silently, and a misspelled parameter would be
 * left out.
 */
import type { TSchema } from '@sinclair/typebox'
import { AppError } from '../errors.ts'

/** A name that a caller chose is not repeated in full. */
const longestShown = 80

/**
 * Equal values may be repeated, and so may lists. Unknown names are tolerated, unless they differ from a declared one
 * in case or brackets alone. Errors: VALIDATION_ERROR.
 */
export function makeQueryCheck({ properties = {} }: TSchema): (context: { readonly request: Request }) => void {
  const shapes: Readonly<Record<string, TSchema>> = properties
  const declared = new Map(Object.keys(shapes).map((name) => [simplifyName(name), name]))
  const takesOneValue = (name: string): boolean => Object.hasOwn(shapes, name) && shapes[name]?.type !== 'array'
  return ({ request }) => {
    const names = listPlainNames(request)
    const parameters = names ? undefined : readParameters(request)
    for (const name of names ?? parameters?.keys() ?? []) {
      if (Object.hasOwn(shapes, name)) continue
      const meant = declared.get(simplifyName(name))
      if (meant !== undefined) throw makeMisspelledError(name, meant)
    }
    if (parameters) requireSingleValues(parameters, takesOneValue)
  }
}

/** Undefined for an address without a query. */
export function readParameters({ url }: Request): URLSearchParams | undefined {
  const at = url.indexOf('?')
  return at === -1 ? undefined : new URLSearchParams(url.slice(at))
}

/**
 * The names of a query in which none is repeated or escaped. Undefined for every other query: URLSearchParams reads it,
 * which takes 3 us more.
 */
export function listPlainNames({ url }: Request): readonly string[] | undefined {
  const at = url.indexOf('?')
  if (at === -1) return []
  const names: string[] = []
  for (const pair of url.slice(at + 1).split('&')) {
    const end = pair.indexOf('=')
    const name = end === -1 ? pair : pair.slice(0, end)
    if (!/^[A-Za-z0-9_]+$/.test(name) || names.includes(name)) return undefined
    names.push(name)
  }
  return names
}

/** `includePrivate[]` and `includeprivate` are usual spellings of `includePrivate`. */
export const simplifyName = (name: string): string => name.replace(/\[[^\]]*\]?$/, '').toLowerCase()

/** Errors: VALIDATION_ERROR. */
export function requireSingleValues(parameters: URLSearchParams, takesOneValue: (name: string) => boolean): void {
  const seen = new Map<string, string>()
  for (const [name, value] of parameters) {
    const first = seen.get(name) ?? value
    seen.set(name, first)
    if (first !== value && takesOneValue(name)) throw makeRepeatedError(name.slice(0, longestShown))
  }
}

const makeRepeatedError = (name: string): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `${name} is given more than once with different values: give it once, with commas between the values of a list`,
    {
      in: 'query',
      path: `/${name}`,
    },
  )

function makeMisspelledError(name: string, meant: string): AppError {
  const shown = name.slice(0, longestShown)
  return new AppError('VALIDATION_ERROR', `query parameter "${shown}" is not known here: did you mean ${meant}?`, {
    in: 'query',
    path: `/${shown}`,
    nearest: meant,
  })
}
