/** The certificate of a public address, as the machine that asks sees it. */
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import type { Found } from './found.ts'

const waitMs = 10_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const longestNoticeMs = 14 * dayMs
/** The part of its life after which nothing has renewed a certificate that is renewed by itself. */
const leastLeft = 0.25

export type Tell = (level: Found['level'], says: string, mend?: string) => Found

interface Certificate {
  readonly peer: PeerCertificate
  /** Undefined for one that this machine trusts. */
  readonly distrust: string | undefined
}

type CertificateRead = Certificate | { readonly problem: string }

export async function readCertificate(url: string): Promise<CertificateRead> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve } = Promise.withResolvers<CertificateRead>()
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    // Judged below, to tell what is wrong with it.
    rejectUnauthorized: false,
  })
  const timer = setTimeout(() => resolve({ problem: 'no answer' }), waitMs)
  socket.on('secureConnect', () => {
    const error: unknown = socket.authorizationError
    resolve({
      peer: socket.getPeerCertificate(),
      distrust: socket.authorized ? undefined : String((error as { readonly code?: string } | null)?.code ?? error),
    })
  })
  socket.on('error', (error) => resolve({ problem: error.message }))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

export function judgeCertificate(certificate: CertificateRead, url: string, now: number, tell: Tell): Found[] {
  // The question, which follows, tells why nothing answers.
  if ('problem' in certificate) return []
  const { peer, distrust } = certificate
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const endsAt = Date.parse(peer.valid_to)
  const renew = 'renew the certificate, and see what should do that by itself (certbot renew, the log of Caddy)'
  const misfit = checkServerIdentity(host, peer)
  return [
    ...(endsAt <= now
      ? [tell('fail', `has a certificate that ended on ${writeDay(endsAt)}: browsers refuse it`, renew)]
      : []),
    ...(misfit
      ? [
          tell(
            'fail',
            `has a certificate for other names (${peer.subjectaltname ?? peer.subject?.CN ?? 'none'}): browsers refuse it`,
            `give the proxy the certificate of ${host}, or see whether the name leads to the right machine`,
          ),
        ]
      : []),
    ...(distrust !== undefined && !misfit && endsAt > now && distrust !== 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? [
          tell(
            'fail',
            `has a certificate that this machine does not trust (${distrust})`,
            'use the certificate of an authority that browsers know, with its whole chain (fullchain.pem). For an authority of your own, name its file in NODE_EXTRA_CA_CERTS',
          ),
        ]
      : []),
    ...(endsAt > now && endsAt - now < readNoticeMs(peer)
      ? [tell('warn', `has a certificate that ends on ${writeDay(endsAt)}, in ${writeSpan(endsAt - now)}`, renew)]
      : []),
  ]
}

/** Certificates of some authorities live for days or hours, and are renewed in time all the same. */
function readNoticeMs({ valid_from, valid_to }: PeerCertificate): number {
  const lifeMs = Date.parse(valid_to) - Date.parse(valid_from)
  return Number.isNaN(lifeMs) ? longestNoticeMs : Math.min(longestNoticeMs, lifeMs * leastLeft)
}

function writeSpan(ms: number): string {
  const [unitMs, unit] = ms < 2 * dayMs ? [hourMs, 'hour'] : [dayMs, 'day']
  const count = Math.floor(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const writeDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const describeEnd = (certificate: CertificateRead): string =>
  'peer' in certificate ? `, with a certificate until ${writeDay(Date.parse(certificate.peer.valid_to))}` : ''
