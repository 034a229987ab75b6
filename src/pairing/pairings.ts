/**
 * Pairings of a computer and a phone, in memory. The computer shows a code that serves once and for a few minutes. The
 * phone that opens it lends its wallet: after both people's screens were compared, it signs the texts of one visit.
 *
 * Only hashes of the code and of the two secrets are kept. A restart forgets all pairings, and both pages say so.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { AppError } from '../errors.ts'
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

export const pairingLimits = {
  /** Until both sides have confirmed the number. */
  openMs: 5 * 60_000,
  /** From then on. */
  pairedMs: 15 * 60_000,
  /** The page on the computer asks every two seconds, or every minute in a tab behind others. */
  silentMs: 90_000,
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

interface Pairing {
  /** Counts up, so that it can stand where a secret must not. */
  readonly id: number
  readonly purpose: Purpose
  readonly site: string | undefined
  readonly client: string
  readonly codeHash: string
  readonly computerHash: string
  phoneHash: string | undefined
  /** Six digits, another one for each phone that opens a code. */
  number: string | undefined
  isConfirmedBy: { computer: boolean; phone: boolean }
  account: Account | undefined
  /** The latest task, with its number from 1. */
  asked: { readonly number: number; readonly task: Task; readonly length: number } | undefined
  tasks: number
  answer: { readonly number: number; readonly given: Given } | undefined
  ended: Ended | undefined
  endsAt: number
  heardAt: number
}

export type Given = Signature | Paid | 'declined'

export type Side = 'computer' | 'phone'

const limits = pairingLimits
const connectedPerOpen = limits.mostConnectedPerClient / limits.mostPerClient
const makeSecret = (): string => randomBytes(32).toString('base64url')
const hash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

export class Pairings {
  private readonly all = new Set<Pairing>()
  /** By the hash of a code or secret. */
  private readonly byHash = new Map<string, Pairing>()
  private opened = 0
  private agedAt = 0

  /** `mostPerClient` is infinite where the operator has switched limits off. */
  constructor(
    private readonly readUptime: () => number,
    private readonly mostPerClient: number = limits.mostPerClient,
  ) {}

  /** Errors: RATE_LIMIT_EXCEEDED for a client with too many, SERVICE_UNAVAILABLE with too many in all. */
  open(client: string, { purpose, site }: { readonly purpose: Purpose; readonly site?: string | undefined }) {
    this.forgetOld()
    const now = this.readUptime()
    const wait = { 'retry-after': '60' }
    const live = [...this.all].filter(({ ended }) => ended === undefined)
    const own = live.filter((one) => one.client === client)
    const unconfirmed = own.filter((one) => !isPaired(one))
    const tooMany = unconfirmed.length >= this.mostPerClient ? unconfirmed : own
    if (tooMany === unconfirmed || own.length - unconfirmed.length >= this.mostPerClient * connectedPerOpen) {
      const seconds = Math.max(1, Math.ceil((Math.min(...tooMany.map(({ endsAt }) => endsAt)) - now) / 1_000))
      throw new AppError(
        'RATE_LIMIT_EXCEEDED',
        `too many phones are being connected from this address: finish one, or try again in ${seconds} seconds`,
        { retryAfterSeconds: seconds },
        { 'retry-after': String(seconds) },
      )
    }
    this.forgetOldestEnded()
    if (live.length >= limits.mostInAll)
      throw new AppError('SERVICE_UNAVAILABLE', 'too many phones are being connected: try again in a minute', {}, wait)
    const [code, secret] = [makeSecret(), makeSecret()]
    const pairing: Pairing = {
      id: ++this.opened,
      purpose,
      site,
      client,
      codeHash: hash(code),
      computerHash: hash(secret),
      phoneHash: undefined,
      number: undefined,
      isConfirmedBy: { computer: false, phone: false },
      account: undefined,
      asked: undefined,
      tasks: 0,
      answer: undefined,
      ended: undefined,
      endsAt: now + limits.openMs,
      heardAt: now,
    }
    this.all.add(pairing)
    this.byHash.set(pairing.codeHash, pairing).set(pairing.computerHash, pairing)
    return { code, secret, endsInSeconds: limits.openMs / 1_000 }
  }

  /** For the phone, before it takes the code. Errors: NOT_FOUND, CONFLICT for a code that a phone has taken. */
  look(code: string): Pick<Pairing, 'purpose' | 'site'> {
    const { phoneHash, purpose, site } = this.requireLive(code, 'codeHash')
    if (phoneHash !== undefined) throw makeTakenError()
    return { purpose, site }
  }

  /**
   * The phone takes the code. A second one ends the pairing unless the numbers were confirmed: the first may have been a
   * stranger's. Errors: NOT_FOUND, CONFLICT.
   */
  take(code: string) {
    const pairing = this.requireLive(code, 'codeHash')
    if (pairing.phoneHash !== undefined) {
      if (!isPaired(pairing)) this.endPairing(pairing, 'second-phone')
      throw makeTakenError()
    }
    const secret = makeSecret()
    pairing.phoneHash = hash(secret)
    pairing.number = String(randomInt(1_000_000)).padStart(6, '0')
    this.byHash.set(pairing.phoneHash, pairing)
    return { secret, number: pairing.number, purpose: pairing.purpose, site: pairing.site }
  }

  /** The number is the same on both screens. Errors: NOT_FOUND, CONFLICT without a phone. */
  confirm(secret: string, side: Side): void {
    const pairing = this.requireSide(secret, side)
    if (pairing.ended !== undefined || pairing.isConfirmedBy[side]) return
    if (pairing.phoneHash === undefined) throw new AppError('CONFLICT', 'no phone has opened the code yet: wait for it')
    pairing.isConfirmedBy[side] = true
    if (isPaired(pairing)) pairing.endsAt = this.readUptime() + limits.pairedMs
  }

  /** Errors: NOT_FOUND. */
  end(secret: string, side: Side, reason: Ended): void {
    const pairing = this.requireSide(secret, side)
    if (pairing.ended === undefined) this.endPairing(pairing, reason)
  }

  /** The account that the phone lends. Errors: NOT_FOUND, CONFLICT. */
  lend(secret: string, account: Account): void {
    const pairing = this.requirePaired(secret, 'phone')
    // The phone's page may have been loaded again.
    if (pairing.account && !isSameAddress(pairing.account.address, account.address))
      throw new AppError('CONFLICT', 'this phone lends another wallet already: end it, and start again')
    pairing.account = account
  }

  /**
   * The computer asks for a signature or a payment. `read` has checked that it is one of this server, for the account.
   * `length` is that of its text. Errors: NOT_FOUND, CONFLICT, SERVICE_UNAVAILABLE.
   */
  async ask(
    secret: string,
    length: number,
    read: (account: Account, purpose: Purpose) => Task | Promise<Task>,
  ): Promise<number> {
    const { account, purpose } = this.requireRoom(secret, length)
    const task = await read(account, purpose)
    // Much may have been asked for meanwhile.
    const { pairing } = this.requireRoom(secret, length)
    pairing.tasks++
    pairing.asked = { number: pairing.tasks, task, length }
    pairing.answer = undefined
    return pairing.tasks
  }

  private requireRoom(secret: string, length: number) {
    const pairing = this.requirePaired(secret, 'computer')
    const { account, purpose } = pairing
    if (!account) throw new AppError('CONFLICT', 'the phone has chosen no wallet yet: wait for it')
    if (pairing.tasks >= limits.mostTasks)
      throw new AppError('CONFLICT', `a phone signs or pays ${limits.mostTasks} times at most: show a new code`)
    const sumWaiting = (of: readonly Pairing[]): number => of.reduce((sum, { asked }) => sum + (asked?.length ?? 0), 0)
    const others = [...this.all].filter((one) => one !== pairing)
    const own = others.filter(({ client }) => client === pairing.client)
    const isTooMuch =
      sumWaiting(others) + length > limits.mostWaiting ||
      (Number.isFinite(this.mostPerClient) && sumWaiting(own) + length > limits.mostWaitingPerClient)
    if (isTooMuch)
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'too many texts wait for phones: try again in a minute',
        {},
        { 'retry-after': '60' },
      )
    return { pairing, account, purpose }
  }

  /** The phone answers the task with that number, once. Errors: NOT_FOUND, CONFLICT. */
  answer(secret: string, number: number, given: Given): void {
    const pairing = this.requirePaired(secret, 'phone')
    // The phone did not hear that its answer had arrived.
    if (pairing.answer?.number === number && isSameAnswer(pairing.answer.given, given)) return
    const { asked } = pairing
    if (asked?.number !== number || (given !== 'declined' && 'tx' in given !== 'payment' in asked.task))
      throw new AppError('CONFLICT', 'the computer does not wait for this answer any more: answer what it asks now')
    pairing.answer = { number, given }
    pairing.asked = undefined
  }

  /** A name of this side without its secret, by which its requests are counted. Undefined for an unknown secret. */
  findSide(secret: string, side: Side): string | undefined {
    const pairing = this.find(secret, side === 'computer' ? 'computerHash' : 'phoneHash')
    return pairing && `${pairing.id} ${side}`
  }

  /** Errors: NOT_FOUND. */
  readView(secret: string, side: Side) {
    const pairing = this.requireSide(secret, side)
    if (side === 'computer') pairing.heardAt = this.readUptime()
    const { ended, number, isConfirmedBy, account, asked, answer } = pairing
    if (ended !== undefined) return { state: 'ended', ended } as const
    const isTaken = number !== undefined
    return {
      state: isPaired(pairing) ? 'paired' : isTaken ? 'compare' : 'waiting',
      endsInSeconds: Math.max(0, Math.ceil((pairing.endsAt - this.readUptime()) / 1_000)),
      isConfirmed: isConfirmedBy[side],
      ...(isTaken ? { number } : {}),
      ...(side === 'computer' && account ? { account } : {}),
      ...(side === 'computer' && answer ? { answer } : {}),
      ...(side === 'phone' && asked ? { asked: { number: asked.number, ...asked.task } } : {}),
    } as const
  }

  private requirePaired(secret: string, side: Side): Pairing {
    const pairing = this.requireSide(secret, side)
    if (pairing.ended !== undefined || !isPaired(pairing))
      throw new AppError('CONFLICT', 'the number was not confirmed on both screens, or the pairing has ended')
    return pairing
  }

  private requireSide(secret: string, side: Side): Pairing {
    return this.requireLive(secret, side === 'computer' ? 'computerHash' : 'phoneHash', true)
  }

  /** Errors: NOT_FOUND, also for a secret of another kind. Tells its holder why one has ended, until it is forgotten. */
  private requireLive(secret: string, kind: 'codeHash' | 'computerHash' | 'phoneHash', mayBeOver = false): Pairing {
    const pairing = this.find(secret, kind)
    if (!pairing || (pairing.ended !== undefined && !mayBeOver))
      throw new AppError('NOT_FOUND', 'this code is used, too old, or from before a restart: show a new one')
    return pairing
  }

  private find(secret: string, kind: 'codeHash' | 'computerHash' | 'phoneHash'): Pairing | undefined {
    const now = this.readUptime()
    if (now >= this.agedAt + 1_000) this.forgetOld()
    const hashed = hash(secret)
    const pairing = this.byHash.get(hashed)
    if (pairing) this.age(pairing, now)
    return pairing && this.all.has(pairing) && pairing[kind] === hashed ? pairing : undefined
  }

  /** Looks at all of them. Requests that are answered often do it once a second at most. */
  private forgetOld(): void {
    const now = this.readUptime()
    this.agedAt = now
    for (const pairing of this.all) this.age(pairing, now)
  }

  /** Ends one that is over, and forgets it when its time has passed twice. */
  private age(pairing: Pairing, now: number): void {
    if (pairing.ended === undefined && now >= pairing.endsAt) this.endPairing(pairing, 'too-old')
    if (pairing.ended === undefined && now >= pairing.heardAt + limits.silentMs)
      this.endPairing(pairing, 'computer-gone')
    if (pairing.ended !== undefined && now >= pairing.endsAt) this.forget(pairing)
  }

  /** So that ended ones cannot fill the memory either. */
  private forgetOldestEnded(): void {
    if (this.all.size < 2 * limits.mostInAll) return
    for (const pairing of this.all)
      if (pairing.ended !== undefined) {
        this.forget(pairing)
        return
      }
  }

  private forget(pairing: Pairing): void {
    this.all.delete(pairing)
    for (const one of [pairing.codeHash, pairing.computerHash, pairing.phoneHash])
      if (one !== undefined) this.byHash.delete(one)
  }

  /** The reason is kept for a minute, so that the other side can read it. */
  private endPairing(pairing: Pairing, reason: Ended): void {
    pairing.ended = reason
    pairing.account = pairing.asked = pairing.answer = undefined
    pairing.endsAt = this.readUptime() + 60_000
  }
}

/** The letters of an EVM address are a checksum. */
const isSameAddress = (one: string, other: string): boolean =>
  one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())

const isSameAnswer = (one: Given, other: Given): boolean => Bun.deepEquals(one, other)

const isPaired = ({ isConfirmedBy }: Pairing): boolean => isConfirmedBy.computer && isConfirmedBy.phone

const makeTakenError = (): AppError =>
  new AppError('CONFLICT', 'another phone has opened this code: show a new one on the computer', {
    reason: 'CODE_TAKEN',
  })
