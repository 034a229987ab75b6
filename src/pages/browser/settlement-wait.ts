/** How long the checkout page waits for a payment that is not settled yet. */
import { chooseWords } from '../refusal-words.ts'
import { paying as words } from '../words/en/checkout.ts'
import { Refusal } from './json-api.ts'

/** A chain needs time to settle, but nobody waits longer in front of a page. */
const waitForMs = 300_000
const waitForInstantMs = 4_000

interface Wait {
  readonly refusal: Refusal
  /** The payment is made at once or not at all. */
  readonly isInstant: boolean
  readonly pauseMs: number
  readonly atMostMs: number
}

/** Undefined for an error that waiting does not change. */
export function readWait(error: unknown): Wait | undefined {
  if (!(error instanceof Refusal) || error.code !== 'PAYMENT_REQUIRED') return undefined
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds === undefined) return undefined
  const isInstant = error.reason === 'NOT_PAID' || error.reason === 'PAYMENT_NOT_SUCCEEDED'
  return {
    refusal: error,
    isInstant,
    pauseMs: Math.max(1, Number(retryAfterSeconds)) * 1000,
    atMostMs: isInstant ? waitForInstantMs : waitForMs,
  }
}

/** The reason to wait. Its advice is meant for programs; the page repeats the request by itself. */
export const readReason = ({ message }: Refusal): string =>
  chooseWords(message.replace(': repeat the same request', ''), words.notSettled)
