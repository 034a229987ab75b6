/**
 * The question by which a server recognizes itself behind its public address. Only who has the master key can ask it,
 * and only who has the same key can answer: a MAC each way, over a nonce.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../db/seal.ts'

export const selfPath = '/api/v1/health/self'

/** `ask` opens the answer, whose second line comes when `release` was asked with the same nonce. */
export type SelfStep = 'ask' | 'release'

export interface SelfQuestion {
  readonly step: SelfStep
  readonly nonce: string
  /** Unix milliseconds. */
  readonly at: number
}

/** What reached the server. */
export interface SelfSeen {
  readonly version: string
  /** The connection's other end: the proxy, where there is one. */
  readonly peer: string
  readonly isPeerTrusted: boolean
  readonly host: string
  /** As it was sent, shortened. */
  readonly forwardedFor: string | null
  readonly forwardedProto: string | null
}

/** A question that is older may have been kept by somebody. */
const freshMs = 300_000
const longestHeader = 300

export const makeNonce = (): string => randomBytes(24).toString('base64url')

const signQuestion = ({ mac }: Pick<Sealer, 'mac'>, { step, nonce, at }: SelfQuestion): string =>
  mac(`${step}\n${nonce}\n${at}`, 'self question')

export const writeSelfQuestion = (sealer: Pick<Sealer, 'mac'>, question: SelfQuestion): string =>
  new URLSearchParams({
    step: question.step,
    nonce: question.nonce,
    at: String(question.at),
    proof: signQuestion(sealer, question),
  }).toString()

/** Undefined for a question that nobody with the key asked, or not now. */
export function readSelfQuestion(
  sealer: Pick<Sealer, 'mac'>,
  query: URLSearchParams,
  now: number,
): SelfQuestion | undefined {
  const [step, nonce = '', at] = [query.get('step'), query.get('nonce') ?? '', Number(query.get('at'))]
  if ((step !== 'ask' && step !== 'release') || !/^[\w-]{32}$/.test(nonce) || !Number.isSafeInteger(at))
    return undefined
  const question = { step, nonce, at } as const
  const isRight = isSameText(query.get('proof') ?? '', signQuestion(sealer, question))
  return isRight && Math.abs(now - at) <= freshMs ? question : undefined
}

/** The first line of the answer. */
export function writeSeen(sealer: Pick<Sealer, 'mac'>, nonce: string, seen: SelfSeen): string {
  const text = JSON.stringify(seen)
  return `${JSON.stringify({ seen: text, proof: sealer.mac(`${nonce}\n${text}`, 'self answer') })}\n`
}

/** Undefined for a line that another server wrote, or one with another key. */
export function readSeen(sealer: Pick<Sealer, 'mac'>, nonce: string, line: string): SelfSeen | undefined {
  try {
    const { seen, proof } = JSON.parse(line) as { readonly seen?: unknown; readonly proof?: unknown }
    if (typeof seen !== 'string' || typeof proof !== 'string') return undefined
    return isSameText(proof, sealer.mac(`${nonce}\n${seen}`, 'self answer'))
      ? (JSON.parse(seen) as SelfSeen)
      : undefined
  } catch {
    return undefined
  }
}

export const shortenHeader = (text: string | null): string | null => text?.slice(0, longestHeader) ?? null

function isSameText(one: string, other: string): boolean {
  const [said, right] = [Buffer.from(one), Buffer.from(other)]
  return said.length === right.length && timingSafeEqual(said, right)
}
