/**
 * The public addresses, asked from this machine: whether they lead to this very server, with the right certificate, and
 * through a proxy that passes on what it must. Only addresses of the configuration are called.
 */
import { buildPublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import type { Sealer } from '../db/seal.ts'
import {
  makeNonce,
  readSeen,
  type SelfSeen,
  type SelfStep,
  selfPath,
  writeSelfQuestion,
} from '../health/self-question.ts'
import { describeEnd, judgeCertificate, readCertificate, type Tell } from './certificate.ts'
import type { Found } from './found.ts'

interface Asker {
  readonly config: Config
  readonly sealer: Pick<Sealer, 'mac'>
  readonly now: () => number
}

const waitMs = 10_000
/** Within the rate of health, and enough for a handful of servers. */
const mostReleases = 12
/** Sent as X-Forwarded-For, to see what the proxy does with it. No machine has it (RFC 5737). */
const inventedAddress = '192.0.2.99'
const guide = 'the guide "proxy" has recipes'

/** None for addresses of plain http: the configuration has these for this machine alone. */
export function listPublicAddresses(config: Config): readonly { readonly setting: string; readonly url: string }[] {
  const { baseUrl, authUrl, mcpUrl } = buildPublicAddresses(config, config.port)
  const named = [
    { setting: 'base_url', url: baseUrl },
    { setting: 'auth_url', url: authUrl },
    { setting: 'mcp_url', url: mcpUrl },
  ]
  return named.filter(
    ({ url }, place) => url.startsWith('https:') && named.findIndex((one) => one.url === url) === place,
  )
}

/** For a server that runs. */
export async function examinePublicAddresses(asker: Asker): Promise<readonly Found[]> {
  const found = await Promise.all(
    listPublicAddresses(asker.config).map(({ setting, url }) => examineAddress(asker, setting, url)),
  )
  return found.flat()
}

async function examineAddress(asker: Asker, setting: string, url: string): Promise<readonly Found[]> {
  const tell = (level: Found['level'], says: string, mend?: string): Found => ({
    setting,
    level,
    says: `${url} ${says}`,
    ...(mend === undefined ? {} : { mend }),
  })
  const certificate = await readCertificate(url)
  const aboutCertificate = judgeCertificate(certificate, url, asker.now(), tell)
  const asked = await askSelf(asker, url)
  if ('fault' in asked) return [tell('fail', asked.fault, asked.mend), ...aboutCertificate]
  const findings = [...aboutCertificate, ...judgeProxy(asked, url, tell)]
  return findings.length > 0 ? findings : [tell('ok', `leads to this server${describeEnd(certificate)}`)]
}

interface Asked {
  readonly seen: SelfSeen
  readonly isStreamed: boolean
}

interface Fault {
  readonly fault: string
  readonly mend: string
}

/** A balancer gives each question to a process of its choice: asked again, it comes to the one that waits for it. */
async function release(ask: (step: SelfStep) => Promise<Response>): Promise<void> {
  for (let tries = 0; tries < mostReleases; tries++) {
    const answer = await ask('release')
    const { isHere } = (answer.ok ? await answer.json() : {}) as { readonly isHere?: boolean }
    if (isHere !== false) return
  }
}

async function askSelf({ sealer, now }: Asker, url: string): Promise<Asked | Fault> {
  const nonce = makeNonce()
  const ask = (step: SelfStep): Promise<Response> =>
    fetch(`${url}${selfPath}?${writeSelfQuestion(sealer, { step, nonce, at: now() })}`, {
      headers: { 'x-forwarded-for': inventedAddress, 'accept-encoding': 'identity' },
      redirect: 'manual',
      // No other request may use a connection whose certificate was not verified.
      keepalive: false,
      // The certificate is judged apart, and the answer is proved by its MAC.
      tls: { rejectUnauthorized: false },
      signal: AbortSignal.timeout(waitMs),
    })
  try {
    const answer = await ask('ask')
    if (!answer.ok || !answer.body) return explainRefusal(answer, await readBeginning(answer), url)
    const reader = answer.body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    let seen: SelfSeen | undefined
    for (;;) {
      const { done, value } = await reader.read()
      text += decoder.decode(value, { stream: true })
      if (done || text.length > 10_000) break
      if (seen === undefined && text.includes('\n')) {
        seen = readSeen(sealer, nonce, text.slice(0, text.indexOf('\n')))
        if (seen === undefined) break
        await release(ask)
      }
    }
    await reader.cancel()
    if (seen === undefined) return explainStranger
    return { seen, isStreamed: text.includes('"released":true') }
  } catch (error) {
    const { code, name, message } = error as {
      readonly code?: string
      readonly name?: string
      readonly message: string
    }
    return {
      fault: `does not answer (${name === 'TimeoutError' ? `nothing within ${waitMs / 1000} s` : (code ?? message)})`,
      mend: 'see whether the name leads to this machine (DNS), whether the proxy runs, and whether a firewall lets this machine reach its own public address',
    }
  }
}

const explainStranger: Fault = {
  fault: 'is answered by something else than this server, or by a server with another master key',
  mend: 'see where the name leads (DNS), and to which address and port the proxy passes requests',
}

const longestBeginning = 10_000

async function readBeginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > longestBeginning) break
  }
  return text
}

function explainRefusal({ status, headers }: Response, body: string, url: string): Fault {
  const { host, pathname } = new URL(url)
  if (status >= 300 && status < 400)
    return {
      fault: `redirects to ${headers.get('location')?.split('?')[0] ?? 'nowhere'} in place of an answer`,
      mend: `set base_url to the address that answers, or pass requests for ${host} to this server`,
    }
  if (status === 502 || status === 503 || status === 504)
    return {
      fault: `answers ${status}: the proxy does not reach this server`,
      mend: 'see that the proxy passes requests to the address and port of this server (host and port of the settings)',
    }
  if (status === 429) return { fault: 'refuses to be asked again so soon (429)', mend: 'ask again in a minute' }
  if (status === 403 && body.includes('the Host header names a host that this server does not know'))
    return {
      fault: 'is refused under the name that the proxy sends as Host (403)',
      mend: `let the proxy pass on the Host header: ${guide}. If it does, the name leads to another server of Proofgate`,
    }
  if (status === 404 && pathname !== '/' && body.includes(`there is nothing at ${pathname}${selfPath}`))
    return {
      fault: `is asked for with its path ${pathname}, which this server does not know`,
      mend: `let the proxy take ${pathname} off before it passes a request on: the guide "proxy" shows how`,
    }
  return status === 404
    ? explainStranger
    : { ...explainStranger, fault: `answers ${status}, which is not from this server` }
}

function judgeProxy({ seen, isStreamed }: Asked, url: string, tell: Tell): Found[] {
  const { host, protocol } = new URL(url)
  const { peer, isPeerTrusted, forwardedFor, forwardedProto } = seen
  const hops = forwardedFor?.split(',').map((hop) => hop.trim()) ?? []
  const passesLies = hops.at(-1) === inventedAddress
  return [
    ...(passesLies && isPeerTrusted
      ? [
          tell(
            'fail',
            'passes on the X-Forwarded-For that clients write: everybody can take any address, and get past the rate limits',
            `let the proxy replace that header with the address of the client: ${guide}`,
          ),
        ]
      : []),
    ...(forwardedFor === null || (passesLies && !isPeerTrusted)
      ? [
          tell(
            'warn',
            'does not tell the addresses of clients (X-Forwarded-For): all of them share one rate limit',
            `let the proxy write that header${isPeerTrusted ? '' : `, and name the proxy (${peer}) in proxy.trusted`}: ${guide}`,
          ),
        ]
      : []),
    ...(forwardedFor !== null && !passesLies && !isPeerTrusted
      ? [
          tell(
            'warn',
            `tells the addresses of clients, and its proxy ${peer} is not trusted: all of them share one rate limit`,
            `add it to the configuration: [proxy] trusted = ["${writeRange(peer)}"]`,
          ),
        ]
      : []),
    ...(forwardedProto !== null && forwardedProto !== protocol.slice(0, -1)
      ? [
          tell(
            'warn',
            `is said to be ${forwardedProto} by the proxy (X-Forwarded-Proto)`,
            `let the proxy write the scheme that the client used: ${guide}`,
          ),
        ]
      : []),
    ...(seen.host !== host
      ? [
          tell(
            'warn',
            `reaches this server under another name (Host: ${seen.host})`,
            `let the proxy pass on the Host header: ${guide}`,
          ),
        ]
      : []),
    ...(isStreamed
      ? []
      : [
          tell(
            'warn',
            'holds answers back until they are whole: assistants and long exports wait, and may give up',
            `turn off buffering in the proxy (nginx: proxy_buffering off): ${guide}`,
          ),
        ]),
  ]
}

const writeRange = (peer: string): string => {
  const plain = peer.replace(/^::ffff:(?=\d)/i, '')
  return `${plain}/${plain.includes(':') ? 128 : 32}`
}
