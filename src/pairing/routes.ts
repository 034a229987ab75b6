/** /api/v1/auth/pairings: for the pages that connect a computer and a phone. Their secrets travel in bodies, not in cookies. */
import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import { type RequestContext, readAddress, writeRate } from '../http/limits.ts'
import { isLoopbackOrigin } from '../http/loopback.ts'
import { type Route, route } from '../http/route.ts'
import { makeQrCode } from '../pages/qr-code.ts'
import type { Parts } from '../parts.ts'
import { compileCheck, defineChoice, open } from '../shape.ts'
import { evmAddressPattern } from '../wallet/account.ts'
import { type Given, pairingLimits, purposes, type Side } from './pairing.ts'
import { openPairings, type Pairings } from './pairings.ts'
import { readPayment } from './payment.ts'
import { readText } from './signed-text.ts'

const Secret = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })

const OpenBody = open({
  purpose: defineChoice(purposes),
  site: Type.Optional(Type.String({ maxLength: 300 })),
})
const CodeBody = open({ code: Secret })
const ComputerBody = open({
  secret: Secret,
  do: Type.Optional(defineChoice(['confirm', 'refuse', 'end'])),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: pairingLimits.textMaxLength })),
  payment: Type.Optional(
    open({
      quoteId: Type.String({ maxLength: 64 }),
      network: Type.String({ maxLength: 64 }),
      assetAddress: Type.String({ pattern: evmAddressPattern }),
    }),
  ),
})
const PhoneBody = open({
  secret: Secret,
  do: Type.Optional(defineChoice(['confirm', 'refuse', 'end'])),
  account: Type.Optional(
    open({
      address: Type.String({ pattern: '^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$' }),
      chain: Type.Optional(Type.String({ pattern: '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$' })),
      chainId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      isContract: Type.Boolean(),
    }),
  ),
  answer: Type.Optional(
    open({
      number: Type.Integer({ minimum: 1 }),
      signature: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
      signatureMethod: Type.Optional(Type.String({ maxLength: 40 })),
      tx: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })),
    }),
  ),
})

const steps = {
  method: 'POST',
  readers: 'own pages',
  callers: ['anyone'],
  surface: 'sessions',
  cacheControl: 'no-store',
  operation: 'unlisted',
} as const

export function pairingRoutes(parts: Parts): readonly Route[] {
  const { enabled } = parts.config.limits
  const pairings = openPairings({
    db: parts.db,
    sealer: parts.sealer,
    now: parts.readSteadyClock,
    ...(enabled ? {} : { mostPerClient: Number.POSITIVE_INFINITY }),
  })
  const countFor =
    (side: Side): NonNullable<Route['countBody']> =>
    (context, body) =>
      countForSide(parts, pairings, context, body, side)
  return [
    route(
      { ...steps, path: '/api/v1/auth/pairings', rate: 'sessions', body: OpenBody },
      async ({ body: { purpose, site }, request, server }) => {
        requireSite(site)
        const { code, ...opened } = await pairings.open(readAddress(parts, { request, server }), { purpose, site })
        // A fragment is sent to no server, so no log and no referrer has the code.
        const address = `${parts.addresses().authUrl}/pair#${code}`
        return { success: true, data: { ...opened, address, qr: makeQrCode(address) } }
      },
    ),
    route({ ...steps, path: '/api/v1/auth/pairings/look', rate: 'sessions', body: CodeBody }, async ({ body }) => ({
      success: true,
      data: await pairings.look(body.code),
    })),
    route({ ...steps, path: '/api/v1/auth/pairings/take', rate: 'sessions', body: CodeBody }, async ({ body }) => ({
      success: true,
      data: await pairings.take(body.code),
    })),
    route(
      {
        ...steps,
        path: '/api/v1/auth/pairings/computer',
        rate: 'reads',
        body: ComputerBody,
        countBody: countFor('computer'),
      },
      async ({ body }) => ({ success: true, data: await serveComputer(parts, pairings, body) }),
    ),
    route(
      { ...steps, path: '/api/v1/auth/pairings/phone', rate: 'reads', body: PhoneBody, countBody: countFor('phone') },
      async ({ body }) => ({ success: true, data: await servePhone(pairings, body) }),
    ),
  ]
}

const Poll = compileCheck(open({ secret: Secret }))

/**
 * Pages poll every two seconds, and many people share one address in an office. So a small request with a known secret
 * counts for its side of the pairing, and not for the address. Guesses count for the address, and so cannot use up what a
 * known secret may ask. Large bodies, texts and signatures cost more, and count for it too. Errors: RATE_LIMIT_EXCEEDED.
 */
async function countForSide(
  parts: Parts,
  pairings: Pairings,
  { set }: RequestContext,
  body: unknown,
  side: Side,
): Promise<boolean> {
  if (!Poll.Check(body) || 'text' in body || 'payment' in body || 'answer' in body) return false
  const key = await pairings.findSide(body.secret, side)
  if (key === undefined) return false
  writeRate(set.headers, parts.limiter.take('pairing', key))
  return true
}

async function serveComputer(parts: Parts, pairings: Pairings, body: Static<typeof ComputerBody>) {
  const { secret, do: step } = body
  if (step === 'confirm') await pairings.confirm(secret, 'computer')
  else if (step !== undefined)
    await pairings.end(secret, 'computer', step === 'refuse' ? 'numbers-differ' : 'by-computer')
  const number = await askPhone(parts, pairings, body)
  return { ...(await pairings.readView(secret, 'computer')), ...(number === undefined ? {} : { askedNumber: number }) }
}

/** Counted like a text: the phone is told the gate, the amount and the recipient. */
const paymentLength = 1_000

async function askPhone(
  parts: Parts,
  pairings: Pairings,
  { secret, text, payment }: Static<typeof ComputerBody>,
): Promise<number | undefined> {
  if (text !== undefined)
    return pairings.ask(secret, text.length, (account, purpose) => ({
      text,
      read: readText(parts, text, account, purpose),
    }))
  if (payment === undefined) return undefined
  return pairings.ask(secret, paymentLength, async (account, purpose) => ({
    payment: await readPayment(parts, payment, account, purpose),
  }))
}

async function servePhone(pairings: Pairings, { secret, do: step, account, answer }: Static<typeof PhoneBody>) {
  if (step === 'confirm') await pairings.confirm(secret, 'phone')
  else if (step !== undefined) await pairings.end(secret, 'phone', step === 'refuse' ? 'numbers-differ' : 'by-phone')
  if (account) {
    const { address, chain, chainId, isContract } = account
    await pairings.lend(secret, {
      address,
      isContract,
      ...(chain === undefined ? {} : { chain }),
      ...(chainId === undefined ? {} : { chainId }),
    })
  }
  if (answer) {
    await pairings.answer(secret, answer.number, readGiven(answer))
  }
  return pairings.readView(secret, 'phone')
}

function readGiven({ signature, signatureMethod, tx }: NonNullable<Static<typeof PhoneBody>['answer']>): Given {
  if (tx !== undefined) return { tx }
  if (signature === undefined) return 'declined'
  return { signature, ...(signatureMethod === undefined ? {} : { signatureMethod }) }
}

/** The origin of the page that opened the hosted one. Errors: VALIDATION_ERROR. */
function requireSite(site: string | undefined): void {
  if (site === undefined) return
  const url = URL.parse(site)
  if (url?.origin === site && (url.protocol === 'https:' || isLoopbackOrigin(site))) return
  throw new AppError('VALIDATION_ERROR', 'site must be the origin of a site, https or on loopback', { path: '/site' })
}
