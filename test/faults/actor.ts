/** One client with one wallet: its requests, and the states that each thing may therefore have. */
import type { KnownClaim } from './gate-steps.ts'
import type { KnownGrant, KnownProof } from './proof-steps.ts'
import type { KnownFamily, KnownKey, KnownSecret, KnownSession, KnownSignIn } from './session-steps.ts'
import type { Signer } from './signer.ts'
import type { World } from './world.ts'

export interface Actor {
  readonly name: string
  readonly world: World
  readonly signer: Signer
  /** The signer that it shares with. Does nothing else. */
  readonly stranger: Signer
  readonly proofs: KnownProof[]
  readonly grants: KnownGrant[]
  readonly claims: KnownClaim[]
  readonly signIns: KnownSignIn[]
  readonly sessions: KnownSession[]
  readonly keys: KnownKey[]
  readonly secrets: KnownSecret[]
  readonly families: KnownFamily[]
  /** For each erasure without a sure answer: the proofs that were certainly there before. */
  readonly unsureErasures: KnownProof[][]
}

export const newActor = (world: World, name: string, signer: Signer, stranger: Signer): Actor => ({
  name,
  world,
  signer,
  stranger,
  proofs: [],
  grants: [],
  claims: [],
  signIns: [],
  sessions: [],
  keys: [],
  secrets: [],
  families: [],
  unsureErasures: [],
})

/** Whether it is one of these for certain. */
export const isSurely = <State>({ may }: { readonly may: ReadonlySet<State> }, ...those: State[]): boolean =>
  [...may].every((state) => those.includes(state))

/** The thing was seen in one of these states, which rules out the others. It is a violation if no state is left. */
export function settle<State>(
  world: World,
  thing: { readonly may: Set<State> },
  seen: readonly State[],
  what: string,
): void {
  const before = [...thing.may]
  const left = before.filter((state) => seen.includes(state))
  if (left.length === 0) {
    world.surprise(`${what}: it may only be ${before.join(' or ')}`)
    return
  }
  thing.may.clear()
  for (const state of left) thing.may.add(state)
}
