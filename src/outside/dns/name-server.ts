/** Addresses of resolvers: in settings, and in the resolv.conf of the system. Looks nothing up. */
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { OutsideError } from '../failure.ts'

export interface NameServer {
  readonly host: string
  readonly port: number
}

const standardPort = 53

/** `9.9.9.9`, `127.0.0.1:5301`, `2620:fe::fe`, `[2620:fe::fe]:53`: what config/address.ts lets through. */
export function parseNameServer(text: string): NameServer {
  if (isIP(text) !== 0) return { host: text, port: standardPort }
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}

/** The name servers of resolv.conf(5), in its order. The C library uses three as well. */
export const listNameServers = (resolvConf: string): readonly NameServer[] =>
  [...resolvConf.matchAll(/^nameserver[ \t]+(\S+)/gm)]
    .map(([, host = '']) => host)
    .filter((host) => isIP(host) !== 0)
    .slice(0, 3)
    .map((host) => ({ host, port: standardPort }))

/** Errors: OutsideError when the file cannot be read or names no server. */
export async function readSystemNameServers(setting: string, file: string): Promise<readonly NameServer[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const servers = listNameServers(text)
  if (servers.length > 0) return servers
  throw new OutsideError(
    'unreachable',
    setting,
    `means the name servers of ${file}, which names none`,
    'give the address of a resolver instead of "system"',
  )
}
