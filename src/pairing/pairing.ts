/**
 * A pairing of a computer and a phone. The computer shows a code that serves once and for a few minutes. The phone that
 * opens it lends its wallet: after both people's screens were compared, it signs the texts of one visit.
 */
import type { PhonePayment } from '../payments/phone-payment.ts'

export const purposes = ['sign-in', 'verify', 'checkout'] as const
export type Purpose = (typeof purposes)[number]

export interface Account {
  readonly address: string
  readonly chain?: string
  readonly chainId?: number
  /** The account is a contract on that chain, and not a key. */
  readonly isContract: boolean
}

export interface Signature {
  readonly signature: string
  readonly signatureMethod?: string
}

/** The hash of the transaction that the phone sent. */
export interface Paid {
  readonly tx: string
}

export type Given = Signature | Paid | 'declined'

/** What the computer asks for: a signature of a text, or a payment. */
export type Task = { readonly text: string; readonly read: ReadText } | { readonly payment: PhonePayment }

/** The consequence of signing, and the times that stand in the text as numbers, for the phone to name. */
export type ReadText =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'look'; readonly signedTimestamp: number }
  | {
      readonly kind: 'claim'
      readonly verifierIds: readonly string[]
      readonly signedTimestamp: number
      /** The end of what an agent is allowed. */
      readonly endsAt?: number
    }

/** The reasons for which a pairing ends early. */
export type Ended = 'by-computer' | 'by-phone' | 'numbers-differ' | 'second-phone' | 'computer-gone' | 'too-old'

export type Side = 'computer' | 'phone'

export const pairingLimits = {
  /** Until both sides have confirmed the number. */
  openMs: 5 * 60_000,
  /** From then on. */
  pairedMs: 15 * 60_000,
  /** The page on the computer asks every two seconds, or every minute in a tab behind others. */
  silentMs: 90_000,
  /** A page that asks so seldom still learns why its pairing has ended. */
  keptMs: 90_000,
  /** Codes whose number was not confirmed yet. */
  mostPerClient: 10,
  /** Connected phones: many people share one address in an office, or behind their provider. */
  mostConnectedPerClient: 100,
  /** About 1 kB each. Those that ended do not count. */
  mostInAll: 10_000,
  /** Texts and payments: a visit of several steps needs one for each. */
  mostTasks: 8,
  textMaxLength: 65_536,
  /** Characters of the texts that wait for a signature, and of payments: in all pairings, and in those of one client. */
  mostWaiting: 4_000_000,
  mostWaitingPerClient: 400_000,
} as const

/** What both sides told each other, which is sealed where it is stored. */
export interface Talk {
  readonly purpose: Purpose
  readonly site?: string
  /** Six digits, another one for each phone that opens a code. Undefined before. */
  readonly number?: string
  readonly isConfirmedBy: Readonly<Record<Side, boolean>>
  readonly account?: Account
  /** The latest task, with its number from 1. */
  readonly asked?: { readonly number: number; readonly task: Task; readonly length: number }
  readonly tasks: number
  readonly answer?: { readonly number: number; readonly given: Given }
  readonly ended?: Ended
}

export interface Pairing {
  /** SHA-256 of the code: the name of the pairing. */
  readonly codeHash: string
  /** Hides the address of the client. */
  readonly client: string
  readonly talk: Talk
  /** When the computer last asked. */
  readonly heardAt: number
  /** When it ends by time, or has ended. */
  readonly expiresAt: number
  /** Rises with each change. */
  readonly version: number
}

export const isPaired = ({ isConfirmedBy }: Talk): boolean => isConfirmedBy.computer && isConfirmedBy.phone

/** Why it has ended, also where nobody has noted that yet. */
export function findEnd({ talk, heardAt, expiresAt }: Pairing, now: number): Ended | undefined {
  if (talk.ended !== undefined) return talk.ended
  if (now >= expiresAt) return 'too-old'
  return now >= heardAt + pairingLimits.silentMs ? 'computer-gone' : undefined
}

/** The letters of an EVM address are a checksum. */
const isSameAddress = (one: string, other: string): boolean =>
  one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())

/** Whether the pairing lends another wallet. */
export const lendsAnother = ({ account }: Talk, { address }: Account): boolean =>
  account !== undefined && !isSameAddress(account.address, address)

/** What stays of one that has ended: the reason, for the other side. */
export const endTalk = ({ account: _, asked: __, answer: ___, ...talk }: Talk, ended: Ended): Talk => ({
  ...talk,
  ended,
})

/** What one side is told. */
export function viewTalk(talk: Talk, side: Side, endsInMs: number) {
  const { ended, number, isConfirmedBy, account, asked, answer } = talk
  if (ended !== undefined) return { state: 'ended', ended } as const
  return {
    state: isPaired(talk) ? 'paired' : number === undefined ? 'waiting' : 'compare',
    endsInSeconds: Math.max(0, Math.ceil(endsInMs / 1_000)),
    isConfirmed: isConfirmedBy[side],
    ...(number === undefined ? {} : { number }),
    ...(side === 'computer' && account ? { account } : {}),
    ...(side === 'computer' && answer ? { answer } : {}),
    ...(side === 'phone' && asked ? { asked: { number: asked.number, ...asked.task } } : {}),
  } as const
}
