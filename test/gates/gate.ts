/** Gates as owners write them, and the requests by which they do. */
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import type { Answer, TestApp } from '../app.ts'
import { alice, type TestWallet } from '../wallets.ts'

export const contract = '0x1234567890abcdef1234567890abcdef12345678'
export const secretText = 'the word is xyzzy-plugh-4711'

/** A free gate with a secret reward. Members given here take the place of those of the same name. */
export const definitionOf = (members: object = {}) => ({
  gateId: 'gate_holders',
  name: 'Holders',
  requirements: [{ verifierId: 'ownership-basic', match: [{ path: 'contentHash', op: 'eq', value: 'abc' }] }],
  rewards: [{ kind: 'reveal', value: secretText, label: 'The word' }],
  ...members,
})

export const gatesPath = '/api/v1/profile/gates'

export const digestOf = (definition: unknown): string =>
  `0x${new Bun.CryptoHasher('sha256').update(writeCanonicalJson(definition)).digest('hex')}`

export interface ApplyOptions {
  readonly wallet?: TestWallet
  readonly expectedVersion?: number
  readonly plan?: boolean
}

/** Signs for exactly this definition and sends it, a millisecond after the request before. */
export async function apply(
  app: TestApp,
  // biome-ignore lint/suspicious/noExplicitAny: tests send definitions of every shape
  definition: any,
  { wallet = alice, expectedVersion, plan = false }: ApplyOptions = {},
): Promise<Answer> {
  app.wait(1)
  const signed = await app.ownerBody(wallet, {
    action: 'apply_gate',
    gateId: definition.gateId,
    digest: digestOf(definition),
  })
  return app.post(`${gatesPath}${plan ? '?plan=true' : ''}`, {
    definition,
    ...(expectedVersion === undefined ? {} : { expectedVersion }),
    ...signed,
  })
}

const actions = { rollback: 'rollback_gate', status: 'set_gate_status', archive: 'archive_gate' } as const

/** An action on a gate that is there. */
export async function act(
  app: TestApp,
  action: keyof typeof actions,
  gateId: string,
  members: {
    readonly version?: number
    readonly status?: string
    readonly archived?: boolean
    readonly expectedVersion?: number
  },
  wallet: TestWallet = alice,
): Promise<Answer> {
  app.wait(1)
  const { expectedVersion, ...signed } = members
  const data = { action: actions[action], gateId, ...signed }
  return app.post(`${gatesPath}/${gateId}/${action}`, { ...members, ...(await app.ownerBody(wallet, data)) })
}

export async function remove(app: TestApp, gateId: string, wallet: TestWallet = alice): Promise<Answer> {
  app.wait(1)
  const headers = await app.ownerHeaders(wallet, { action: 'delete_gate', gateId })
  return app.request(`${gatesPath}/${gateId}`, { method: 'DELETE', headers })
}

/** The headers by which a wallet reads its own gates. */
export const readerHeaders = (app: TestApp, wallet: TestWallet = alice): Promise<Record<string, string>> =>
  app.ownerHeaders(wallet, { action: 'list_gates', walletAddress: wallet.address.toLowerCase() })
