/** A gate with few places, which everybody claims at once. */
import { digestOf } from '../gates/gate.ts'
import { type Actor, isSurely, settle } from './actor.ts'
import type { KnownProof } from './proof-steps.ts'
import { outcomeOf, type World } from './world.ts'

export interface Gate {
  readonly gateId: string
  readonly supply: number
  readonly claims: KnownClaim[]
}

export interface KnownClaim {
  readonly proof: KnownProof
  readonly gate: Gate
  /** `gone`: erased with its wallet. */
  readonly may: Set<'none' | 'claimed' | 'gone'>
}

const reward = 'plugh'

/** Asks until the gate exists, because tests cannot use an uncertain gate. */
export async function openGate(owner: Actor, gateId: string, supply: number): Promise<Gate> {
  const { world, signer } = owner
  const definition = {
    gateId,
    name: 'Few places',
    requirements: [{ verifierId: 'ownership-basic' }],
    rewards: [{ kind: 'reveal', value: reward, label: 'The word' }],
    supply,
  }
  for (let tries = 0; tries < 20; tries++) {
    const signed = signer.act({ action: 'apply_gate', gateId, digest: digestOf(definition) }, world.newTime())
    const answer = await world.post('a gate', '/profile/gates', { definition, ...signed })
    if (outcomeOf(answer) === 'done') return { gateId, supply, claims: [] }
    if (answer && answer.status < 500) throw new Error(`no gate: ${JSON.stringify(answer.body)}`)
    await Bun.sleep(100)
  }
  throw new Error(`no gate after 20 tries`)
}

/** Sends a claim with a proof that stands: a new one, or an earlier one again. */
export async function claim(actor: Actor, gate: Gate): Promise<void> {
  const { world } = actor
  const proof = world.pick(
    actor.proofs.filter((one) => isSurely(one, 'stands') && (one.kind === 'kept public' || one.kind === 'plain')),
  )
  if (!proof) return
  const known = actor.claims.find((one) => one.proof === proof && one.gate === gate) ?? {
    proof,
    gate,
    may: new Set(['none'] as const),
  }
  if (!actor.claims.includes(known)) {
    actor.claims.push(known)
    gate.claims.push(known)
  }
  await ask(actor, known)
}

async function ask(actor: Actor, known: KnownClaim): Promise<void> {
  const { world, signer } = actor
  const { proof, gate } = known
  const { gateId } = gate
  const at = world.newTime()
  const what = `${actor.name} claims ${gateId} with ${proof.qHash.slice(0, 10)} (${[...known.may]})`
  const signed = signer.act({ action: 'fulfill_gate', gateId, qHash: proof.qHash }, at)
  const body = { qHash: proof.qHash, ...signed }
  const answer = await world.post(what, `/profile/gates/${gateId}/fulfill`, body)
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`claim: ${outcome}`)
  if (outcome === 'unsure') known.may.add('claimed')
  else if (outcome === 'done') {
    if (!JSON.stringify(answer!.body).includes(reward)) world.surprise(`${what}: an answer without the reward`)
    known.may.clear()
    known.may.add('claimed')
  } else {
    const code = answer!.body?.error?.code
    if (code === 'GATE_SOLD_OUT') {
      const begun = answer!.isSettled ? [] : [...known.may].filter((state) => state === 'claimed' && known.may.size > 1)
      settle(world, known, ['none', 'gone', ...begun], `${what}: ${code}`)
    } else world.expectRefusal(what, answer!, world.mayBeStale(at, answer!) ? ['EXPIRED_SIGNATURE'] : [])
  }
}

/** Asks again for every acknowledged place: its holder must still have it. */
export async function checkClaims(actor: Actor): Promise<void> {
  for (const known of actor.claims)
    if (known.may.has('claimed') && isSurely(known.proof, 'stands')) await ask(actor, known)
}

export function checkGate(world: World, { gateId, supply, claims }: Gate): void {
  const given = claims.filter((one) => isSurely(one, 'claimed')).length
  if (given > supply) world.surprise(`${gateId} has ${supply} places and gave ${given}`)
  world.count('gates checked')
}
