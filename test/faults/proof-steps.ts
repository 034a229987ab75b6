/** Steps on proofs: made, sent again, revoked, erased, read and shared. */

import { type Actor, isSurely, settle } from './actor.ts'
import { type Answer, outcomeOf } from './world.ts'

type ProofState = 'none' | 'stands' | 'revoked' | 'erased'

export interface KnownProof {
  readonly qHash: string
  readonly request: object
  readonly signedAt: number
  readonly kind: Kind
  readonly content: string
  /** Everything that it may be, as far as its client was told. */
  readonly may: Set<ProofState>
}

type Kind = 'plain' | 'kept private' | 'kept public' | 'handle'

export interface KnownGrant {
  readonly proof: KnownProof
  readonly may: Set<'none' | 'given'>
}

let made = 0

async function submit(actor: Actor, proof: KnownProof, isAgain: boolean): Promise<Answer | undefined> {
  const { world } = actor
  const what = `${actor.name} ${isAgain ? 'asks again for' : 'makes'} ${proof.qHash.slice(0, 10)} (${proof.kind}; ${[...proof.may]})`
  const answer = await world.post(what, '/verification', proof.request)
  learnSubmit(actor, proof, answer, what)
  return answer
}

function learnSubmit(actor: Actor, proof: KnownProof, answer: Answer | undefined, what: string): void {
  const { world } = actor
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer ? answer.status : 'no answer'}${outcome === 'unsure' ? ' unsure' : ''}`)
  world.count(`create: ${outcome}`)
  if (outcome === 'unsure') {
    if (proof.may.has('none')) proof.may.add('stands')
    return
  }
  if (!answer) return
  if (outcome === 'done') {
    if (answer.body.data.qHash !== proof.qHash)
      world.surprise(`${what}: another id came back: ${answer.body.data.qHash}`)
    if (proof.may.has('none') || proof.may.has('stands')) {
      if (proof.may.size > 1) world.count('unsure, settled by asking again')
      // It is there now. Other requests that were begun may still take effect.
      if (answer.isSettled) proof.may.clear()
      proof.may.delete('none')
      proof.may.add('stands')
    } else if (proof.may.has('erased')) world.surprise(`${what}: what was erased came back`)
    else world.surprise(`${what}: what was revoked came back`)
    return
  }
  const code = answer.body?.error?.code
  if (code === 'EXPIRED_SIGNATURE') {
    if (!world.mayBeStale(proof.signedAt, answer)) world.surprise(`${what}: a fresh text is refused as too old`)
    return
  }
  if (code === 'CONFLICT') {
    // Spent: it was there, and is no more.
    settle(world, proof, ['revoked', 'erased'], what)
    return
  }
  world.expectRefusal(what, answer, [])
}

export async function create(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const kind = world.pick<Kind>(['plain', 'plain', 'kept private', 'kept public', 'handle'])
  const number = ++made
  const content = `${kind} ${number} ${'x'.repeat(Math.floor(world.random() * 3_000))}`
  const at = world.newTime()
  const { body, qHash } =
    kind === 'handle'
      ? signer.claim('ownership-pseudonym', { pseudonymId: `h${process.pid}-${number}` }, at)
      : signer.claim('ownership-basic', { owner: signer.address, content }, at)
  const isPublic = kind === 'kept public' || kind === 'handle'
  const options = {
    storeOriginalContent: kind.startsWith('kept'),
    privacyLevel: isPublic ? 'public' : 'private',
    publicDisplay: isPublic,
  }
  const proof: KnownProof = {
    qHash,
    request: { ...body, options },
    signedAt: at,
    kind,
    content,
    may: new Set(['none']),
  }
  actor.proofs.push(proof)
  // Two at once are one.
  if (world.chance(0.15)) await Promise.all([submit(actor, proof, false), submit(actor, proof, true)])
  else await submit(actor, proof, false)
}

export async function createAgain(actor: Actor): Promise<void> {
  const proof = actor.world.pick(actor.proofs)
  if (proof) await submit(actor, proof, true)
}

export async function revoke(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const proof = world.pick(actor.proofs.filter(({ may }) => may.has('stands')))
  if (!proof) return
  const at = world.newTime()
  const what = `${actor.name} revokes ${proof.qHash.slice(0, 10)} (${[...proof.may]})`
  const body = signer.act({ action: 'revoke_proof', qHash: proof.qHash }, at)
  const answer = await world.post(what, `/proofs/revoke-self/${proof.qHash}`, body)
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`revoke: ${outcome}`)
  if (outcome === 'unsure') proof.may.add('revoked')
  else if (outcome === 'done') {
    settle(world, proof, ['stands', 'revoked'], what)
    proof.may.clear()
    proof.may.add('revoked')
  } else if (answer!.status === 404) settle(world, proof, ['none', 'erased'], what)
  else world.expectRefusal(what, answer!, world.mayBeStale(at, answer!) ? ['EXPIRED_SIGNATURE'] : [])
}

/** Everything of the wallet goes at once, or nothing. */
export async function eraseAll(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const at = world.newTime()
  const what = `${actor.name} erases everything`
  const data = { action: 'erase_all_proofs', walletAddress: signer.address }
  const answer = await world.post(what, '/proofs/erase-all', signer.act(data, at))
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome} ${JSON.stringify(answer?.body?.erasedCount)}`)
  world.count(`erase: ${outcome}`)
  if (outcome === 'refused') {
    world.expectRefusal(what, answer!, world.mayBeStale(at, answer!) ? ['EXPIRED_SIGNATURE'] : [])
    return
  }
  const there = actor.proofs.filter((proof) => proof.may.has('stands') || proof.may.has('revoked'))
  if (outcome === 'unsure') actor.unsureErasures.push(there.filter((proof) => isSurely(proof, 'stands', 'revoked')))
  for (const proof of there) {
    const before = [...proof.may]
    if (outcome === 'done') proof.may.clear()
    if (outcome === 'done' && before.includes('none')) proof.may.add('none')
    proof.may.add('erased')
  }
  for (const claim of actor.claims) {
    if (outcome === 'done') claim.may.clear()
    claim.may.add('gone')
  }
}

const viewerOf = (actor: Actor) => actor.stranger

export async function grant(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const free = actor.proofs.filter(
    (proof) =>
      proof.kind === 'kept private' && isSurely(proof, 'stands') && !actor.grants.some((one) => one.proof === proof),
  )
  const proof = world.pick(free)
  if (!proof) return
  const at = world.newTime()
  const viewerWallet = viewerOf(actor).address
  const asked = { qHash: proof.qHash, viewerWallet, expiresInSeconds: null }
  const known: KnownGrant = { proof, may: new Set(['none']) }
  actor.grants.push(known)
  const what = `${actor.name} shares ${proof.qHash.slice(0, 10)}`
  const signed = signer.act({ action: 'grant_proof_access', ...asked }, at)
  const answer = await world.post(what, '/verification/access/grant', {
    ...asked,
    ownerWallet: signer.address,
    ...signed,
  })
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`grant: ${outcome}`)
  if (outcome === 'done') known.may.delete('none')
  if (outcome !== 'refused') known.may.add('given')
  else world.expectRefusal(what, answer!, world.mayBeStale(at, answer!) ? ['EXPIRED_SIGNATURE'] : [])
}

export async function withdraw(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const known = world.pick(actor.grants.filter(({ may, proof }) => may.has('given') && isSurely(proof, 'stands')))
  if (!known) return
  const { qHash } = known.proof
  const at = world.newTime()
  const viewerWallet = viewerOf(actor).address
  const what = `${actor.name} withdraws ${qHash.slice(0, 10)}`
  const signed = signer.act({ action: 'withdraw_proof_access', qHash, viewerWallet }, at)
  const body = { qHash, viewerWallet, ownerWallet: signer.address, ...signed }
  const answer = await world.post(what, '/verification/access/withdraw', body)
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`withdraw: ${outcome}`)
  if (outcome === 'done') known.may.clear()
  if (outcome !== 'refused') known.may.add('none')
  else world.expectRefusal(what, answer!, world.mayBeStale(at, answer!) ? ['EXPIRED_SIGNATURE'] : [])
}

/** Kept content comes back as it went in, as long as its proof stands. */
export async function readContent(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const proof = world.pick(actor.proofs.filter((one) => one.kind.startsWith('kept') && isSurely(one, 'stands')))
  if (proof) await checkContent(actor, proof, signer.reads(readAction(proof), world.newTime()))
}

const readAction = ({ qHash }: KnownProof) => ({ action: 'access_private_proof', qHash })

async function checkContent({ world, name }: Actor, proof: KnownProof, headers: Record<string, string>): Promise<void> {
  const what = `${name} reads ${proof.qHash.slice(0, 10)}`
  const answer = await world.get(what, `/proofs/${proof.qHash}`, headers)
  world.count('content read')
  if (!answer || answer.status === 503) return
  const content = answer.body.data?.publicContent?.content
  const isStale = answer.body.error?.code === 'EXPIRED_SIGNATURE' && !answer.isClockSteady
  if (content !== proof.content && !isStale)
    world.surprise(`${what}: its content is not there: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
}

const shown: Readonly<Record<string, readonly ProofState[]>> = {
  verified: ['stands'],
  revoked: ['revoked'],
  not_found: ['none', 'erased'],
}

/** The server's status of each proof must be one that the proof may have. The answer then settles which one it is. */
export async function checkProofs(actor: Actor): Promise<void> {
  const { world, proofs } = actor
  for (let from = 0; from < proofs.length; from += 100) {
    const asked = proofs.slice(from, from + 100)
    const answer = await world.post('status', '/verification/status-batch', {
      qHashes: asked.map(({ qHash }) => qHash),
    })
    if (answer?.status !== 200) return world.surprise(`the statuses cannot be read: ${answer?.status}`)
    for (const proof of asked) {
      const status: string = answer.body.results[proof.qHash]?.status
      const unsure = proof.may.size > 1
      settle(world, proof, shown[status] ?? [], `${actor.name}: ${proof.qHash} (${proof.kind}) is now ${status}`)
      if (unsure) world.count('unsure, settled by looking')
    }
  }
  world.count('proofs checked', proofs.length)
  for (const group of actor.unsureErasures.splice(0)) {
    const gone = group.filter(
      (proof) => proof.may.has('erased') && !proof.may.has('stands') && !proof.may.has('revoked'),
    )
    if (gone.length > 0 && gone.length < group.length)
      world.surprise(`${actor.name}: an erasure took ${gone.length} of ${group.length} proofs`)
  }
}

/** Sending claims again confirms stored proofs, and spent signatures stay spent. */
export async function checkAgain(actor: Actor, share: number): Promise<void> {
  for (const proof of actor.proofs) if (actor.world.chance(share)) await submit(actor, proof, true)
}

export async function checkGrants(actor: Actor): Promise<void> {
  const { world } = actor
  for (const known of actor.grants) {
    const { proof } = known
    if (!isSurely(proof, 'stands')) continue
    const headers = viewerOf(actor).reads(readAction(proof), world.newTime())
    const answer = await world.get('a viewer reads', `/proofs/${proof.qHash}`, headers)
    if (!answer) continue
    const reads = answer.body.data?.publicContent?.content === proof.content
    const what = `${actor.name}: a grant of ${proof.qHash} ${reads ? 'is there' : `is not there (${answer.status})`}`
    settle(world, known, [reads ? 'given' : 'none'], what)
    world.count('grants checked')
  }
}

export async function checkContents(actor: Actor): Promise<void> {
  const { world, signer } = actor
  for (const proof of actor.proofs)
    if (proof.kind.startsWith('kept') && isSurely(proof, 'stands'))
      await checkContent(actor, proof, signer.reads(readAction(proof), world.newTime()))
}
