/** Reads database.url: `postgres://user:password@host1:5432,host2/database?sslmode=verify-full`. */
import { isLoopbackHost } from './address.ts'

/** How far the certificate of the server is believed, as libpq names it. */
export type DatabaseTls = (typeof modes)[number]

export interface DatabaseUrl {
  /** In the order in which they stand. */
  readonly servers: readonly { readonly host: string; readonly port: number }[]
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  readonly tls: DatabaseTls
  /** The file of the certificates that are believed. Undefined: those of the system. */
  readonly rootFile: string | undefined
}

export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError'
}

const form = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]+)\/([^/?]+)(?:\?(.*))?$/
const serverForm = /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/** The fault of a URL in words, without its password. Undefined for one that can be used. */
export function findUrlFault(text: string): string | undefined {
  try {
    readDatabaseUrl(text)
    return undefined
  } catch (error) {
    if (error instanceof DatabaseUrlError) return error.message
    throw error
  }
}

/** Errors: DatabaseUrlError. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const found = form.exec(text)
  if (!found)
    throw new DatabaseUrlError(
      'it is not of the form postgres://user:password@host:5432/database. In user and password, / is %2F, : is %3A, @ is %40, # is %23, ? is %3F and % is %25',
    )
  const [, user = '', password, hosts = '', database = '', options = ''] = found
  const servers = hosts.split(',').map(readServer)
  if (user === '') throw new DatabaseUrlError('it names no user: postgres://user@host/database')
  const { mode, rootFile } = readOptions(options)
  return {
    user: decode(user),
    password: password === undefined ? undefined : decode(password),
    servers,
    database: decode(database),
    tls: mode ?? (servers.every(({ host }) => isLoopbackHost(host)) ? 'disable' : 'verify-full'),
    rootFile,
  }
}

function readServer(text: string): DatabaseUrl['servers'][number] {
  const [, ipv6, name, digits] = serverForm.exec(text) ?? []
  const host = ipv6 ?? name
  const port = Number(digits ?? 5432)
  if (host === undefined || port < 1 || port > 65_535)
    throw new DatabaseUrlError(`"${text.slice(0, 100)}" is not a host, or a host with a port from 1 to 65535`)
  return { host, port }
}

function readOptions(text: string): { readonly mode: DatabaseTls | undefined; readonly rootFile: string | undefined } {
  let mode: DatabaseTls | undefined
  let rootFile: string | undefined
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === 'sslmode') mode = modes.find((one) => one === value) ?? refuseMode(value)
    else if (name === 'sslrootcert') rootFile = value
    else
      throw new DatabaseUrlError(
        `"${name.slice(0, 40)}" is not known behind its question mark: sslmode and sslrootcert are`,
      )
  }
  return { mode, rootFile }
}

function refuseMode(value: string): never {
  throw new DatabaseUrlError(`sslmode=${value.slice(0, 40)} is not known: it is ${modes.join(', ')}`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new DatabaseUrlError('a % in its user, password or database is not followed by two hexadecimal digits')
  }
}

/** For people and logs: without user, password and options. Errors: DatabaseUrlError. */
export function describeDatabase(text: string): string {
  const { servers, database } = readDatabaseUrl(text)
  return `PostgreSQL "${database}" at ${servers.map(writeServer).join(', ')}`
}

export const writeServer = ({ host, port }: DatabaseUrl['servers'][number]): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
