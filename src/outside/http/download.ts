/**
 * Downloads of files whose content is verified by a signature: releases. So redirects are followed, as hosts of downloads
 * use them: to public addresses, a few times, and never from https to http.
 *
 * Each address passes a guard, and the size is limited. Whoever calls this verifies the content.
 */
import { OutsideError } from '../failure.ts'
import { type AddressGuard, makeGuard, makePublicGuard } from './address-guard.ts'
import { exchange, openConnections } from './exchange.ts'
import type { OutsideAnswer } from './message.ts'

export interface DownloadLimits {
  readonly maxBytes: number
  /** How long nothing may arrive. */
  readonly silenceMs: number
  readonly privateNetworks: readonly string[]
  /** Receives the content as it arrives. Without it the answer holds the body. */
  readonly receive?: (chunk: Uint8Array) => void
}

const mostRedirects = 5
/** An answer that is no file says in as many why: it is not reported as too long. */
const leastBytes = 65_536

/** `setting` names the address in messages. Errors: OutsideError. */
export async function download(setting: string, address: URL, limits: DownloadLimits): Promise<Uint8Array> {
  let url = address
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    // The operator's exceptions are for the configured host, not for hosts that others name.
    const guard = url.origin === address.origin ? makeGuard(limits.privateNetworks) : makePublicGuard()
    const answer = await ask(setting, url, limits, guard)
    const next = readRedirect(answer, url)
    if (next === undefined) return requireFound(setting, answer)
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new OutsideError('malformed', setting, 'redirects from https to http', 'give an address that does not')
    url = next
  }
  throw new OutsideError(
    'malformed',
    setting,
    `redirects more than ${mostRedirects} times`,
    'give the address it leads to',
  )
}

async function ask(
  setting: string,
  url: URL,
  { maxBytes, silenceMs, receive }: DownloadLimits,
  guard: AddressGuard,
): Promise<OutsideAnswer> {
  const connections = openConnections(url)
  try {
    const request = { method: 'GET', once: true, ...(receive ? { receive } : {}) } as const
    return await exchange(
      setting,
      url,
      request,
      { maxBytes: Math.max(maxBytes, leastBytes), timeoutMs: silenceMs, guard },
      connections,
    )
  } finally {
    connections.destroy()
  }
}

function readRedirect({ status, headers }: OutsideAnswer, from: URL): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  return URL.parse(location, from) ?? undefined
}

/** Errors: OutsideError. */
function requireFound(setting: string, { status, body }: OutsideAnswer): Uint8Array {
  if (status === 200) return body
  throw new OutsideError(
    status >= 500 ? 'unreachable' : 'malformed',
    setting,
    `answered ${status}`,
    status >= 500 ? 'the service has a fault of its own: try later' : 'see whether the address is right',
  )
}
