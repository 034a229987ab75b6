/**
 * A stage for fulfillments: the real app, gates in its database, and a till, the tests' own payment method. Tests
 * decide which payments the till knows; the app does the rest.
 */

import { createApp } from '../../src/app.ts'
import type { Db } from '../../src/db/db.ts'
import type { GateDefinition, GateStatus } from '../../src/gates/gate.ts'
import { findGate, writeChanges } from '../../src/gates/store.ts'
import { openLog } from '../../src/log.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import type { Parts } from '../../src/parts.ts'
import { paymentMethods } from '../../src/payments/index.ts'
import type { PaymentMethod, PaymentOffer, PaymentVerdict } from '../../src/payments/payment.ts'
import { type Answer, startApp } from '../app.ts'
import { conforms } from '../contract.ts'
import { select } from '../parts/select.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A till that knows the payments it was told of. `confirm` waits one turn of the loop, as everything outside does. */
export function newTill(id: PaymentMethod['id'] = 'stablecoin') {
  const payments = new Map<string, PaymentVerdict | (() => Promise<PaymentVerdict>)>()
  const asked: PaymentOffer[] = []
  // The qualities of the method whose place it takes, and nothing else of it.
  const { ask: _, listTokens: __, ...like } = paymentMethods.find((one) => one.id === id)!
  const method: PaymentMethod = {
    ...like,
    findMissingConfiguration: () => undefined,
    findPriceFault: ({ recipient }) => (recipient === undefined ? 'needs price.recipient' : undefined),
    describe: () => ({ id: 'till', type: 'onchain', network: 'eip155:8453', enabled: true }),
    async confirm(offer) {
      asked.push(offer)
      await Bun.sleep(0)
      const known = payments.get(offer.evidence)
      if (known === undefined) return { paid: false, reason: 'TX_NOT_FOUND', message: 'there is no such payment' }
      return typeof known === 'function' ? known() : known
    },
    review: () => Promise.resolve({ state: 'final' }),
  }
  const paid = (identity: string, more: object = {}): PaymentVerdict => ({
    paid: true,
    identity,
    payer: alice.address.toLowerCase(),
    amount: '4990000',
    paidAt: 1_767_225_600_000,
    details: { transaction: identity },
    isFinal: false,
    ...more,
  })
  return {
    method,
    asked,
    /** From now on the evidence stands for a payment. */
    takes: (evidence: string, more: object = {}) => payments.set(evidence, paid(`tx:${evidence}`, more)),
    answers: (evidence: string, verdict: PaymentVerdict | (() => Promise<PaymentVerdict>)) =>
      payments.set(evidence, verdict),
    isDown: (evidence: string) =>
      payments.set(evidence, () =>
        Promise.reject(new OutsideError('timeout', 'chains.base.rpc[0]', 'did not answer in time', 'look at it', 7)),
      ),
    paid,
  }
}

export const price = {
  amountUsd: '4.99',
  methods: ['stablecoin' as const],
  recipient: `0x${'aB'.repeat(20)}`,
}

export type StageGate = Partial<GateDefinition>

const basic: Pick<GateDefinition, 'name' | 'requirements'> = {
  name: 'A gate',
  requirements: [{ id: 'r1', verifierId: 'ownership-basic' }],
}

/** Puts a gate, or its next version, into the database. Bob owns it. */
export async function putGate(
  parts: Pick<Parts, 'db' | 'sealer' | 'now'>,
  gate: StageGate & { readonly gateId: string },
  owner: string = bob.address.toLowerCase(),
): Promise<void> {
  const { status = 'active', rewards, ...rest } = { ...basic, ...gate }
  const definition = { ...rest, ...(rewards ? { rewards: rewards.map(({ value: _, ...shown }) => shown) } : {}) }
  const version = {
    definition,
    rewardValues: (rewards ?? []).map(({ value }) => value ?? null),
    author: owner,
  }
  const base = await findGate(parts, gate.gateId)
  const outcome = await writeChanges(
    parts,
    [
      base
        ? { kind: 'version', base, status, ...version }
        : { kind: 'create', gateId: gate.gateId, owner, status, limit: 100_000, ...version },
    ],
    parts.now(),
  )
  if (outcome !== 'stored') throw new Error(`the gate was not stored: ${JSON.stringify(outcome)}`)
}

export async function openStage(
  env: Record<string, string> = {},
  methods?: (db: Db) => readonly PaymentMethod[],
  tillId: PaymentMethod['id'] = 'stablecoin',
) {
  const base = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error', ...env })
  const till = newTill(tillId)
  const lines: string[] = []
  const parts: Parts = {
    ...base.parts,
    paymentMethods: methods?.(base.parts.db) ?? [till.method],
    log: openLog((_, message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`)),
  }
  const app = createApp(parts)

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    const answer = { status: response.status, body: await response.json(), headers: response.headers }
    await conforms(answer, init.method ?? 'GET', path)
    return answer
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const pathOf = (gateId: string): string => `/api/v1/profile/gates/${gateId}/fulfill`

  return {
    ...base,
    parts,
    till,
    /** All lines of the log, as one text. */
    logged: () => lines.join('\n'),
    request,
    post,
    gate: (gateId: string, gate: StageGate = {}, owner?: string) => putGate(parts, { gateId, ...gate }, owner),
    setStatus: async (gateId: string, status: GateStatus) =>
      writeChanges(
        parts,
        [{ kind: 'status', base: (await findGate(parts, gateId))!, status, author: 'operator' }],
        parts.now(),
      ),
    found: (gateId: string) => findGate(parts, gateId),

    /** Asks as the owner of the proof does: signed in the body. */
    async fulfill(
      gateId: string,
      qHash: string,
      more: object = {},
      { wallet = alice, headers = {} }: { wallet?: TestWallet; headers?: Record<string, string> } = {},
    ): Promise<Answer> {
      const signed = await wallet.signAction({ action: 'fulfill_gate', gateId, qHash }, base.now())
      return post(pathOf(gateId), { qHash, ...signed, ...more }, headers)
    },
    pathOf,
    rows: <Row>(sql: string) => select<Row>(parts.db, sql).all(),
  }
}
