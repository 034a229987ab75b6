/** Turns the form of an operation into a request. */
import type { Operation, Parameter } from './description.ts'

export interface Filled {
  /** By place and name: `query limit`. Empty values are left out. */
  readonly values: Readonly<Record<string, string>>
  /** JSON text. Empty without a body. */
  readonly body: string
}

export interface Asked {
  readonly operation: Operation
  /** The root of the server, without a slash at the end. */
  readonly server: string
  /** The path with its encoded parameters. */
  readonly path: string
  /** The parameters of the path, not encoded. */
  readonly inPath: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

export const buildKey = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place} ${name}`

/** `remembered` holds values by name that replace the example: ids of objects created on this page. */
export function fillExample(operation: Operation, remembered: Readonly<Record<string, string>> = {}): Filled {
  const values: Record<string, string> = {}
  for (const parameter of operation.parameters) {
    const example = parameter.in === 'path' ? (remembered[parameter.name] ?? parameter.example) : parameter.example
    if (example !== undefined) values[buildKey(parameter)] = String(example)
  }
  return { values, body: operation.body ? JSON.stringify(operation.body.example ?? {}, null, 2) : '' }
}

/** Required parameters without a value. */
export const listMissing = (operation: Operation, { values }: Filled): readonly Parameter[] =>
  operation.parameters.filter((one) => one.required && !values[buildKey(one)])

export function buildRequest(operation: Operation, { values, body }: Filled, server: string): Asked {
  const readValues = (place: Parameter['in']) =>
    operation.parameters.flatMap((one) => {
      const value = one.in === place ? values[buildKey(one)] : undefined
      return value ? [[one.name, value] as const] : []
    })
  const inPath: Readonly<Record<string, string>> = Object.fromEntries(readValues('path'))
  return {
    operation,
    server,
    path: operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = inPath[name]
      return value === undefined ? whole : encodeURIComponent(value)
    }),
    inPath,
    query: readValues('query'),
    headers: readValues('header'),
    body: operation.body ? body : undefined,
  }
}

export const buildAddress = ({ server, path, query }: Asked): string =>
  `${server}${path}${query.length > 0 ? `?${query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}` : ''}`

/** The header lines of the request. */
export const listHeaders = ({ headers, body }: Asked): readonly (readonly [string, string])[] => [
  ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
  ...headers,
]
