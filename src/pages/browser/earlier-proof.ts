/** Offers a proof that the person made before, in place of another one. */

import { agentDelegationId, agentVerifierIds, contentVerifierIds } from '../../verifiers/roles.ts'
import { makeElement, renderButton, renderFacts } from '../../web/ui/dom.ts'
import { claim, earlierProof as words } from '../words/en/verify.ts'
import { showFailure } from './claim-form.ts'
import type { Desk, StepView } from './step.ts'

/** Chains and lists change, so facts read from them count for an hour. */
const lookedUpCountsMs = 3_600_000

export async function offerEarlier(desk: Desk, view: StepView, place: HTMLElement): Promise<void> {
  const { api, model } = desk
  const { step, person, finished } = view
  const { verifierId } = step
  // A proof of another text is not the one that the person means, unless a gate names the text.
  if (contentVerifierIds.includes(verifierId) && step.fixed.contentHash === undefined) return
  if (!model.verifiers[verifierId] || model.verifiers[verifierId].absence !== undefined) return
  const plan = model.request.agent
  const query = new URLSearchParams({
    verifierId,
    address: person.address,
    includePrivate: 'true',
    includeQHashes: 'true',
  })
  for (const [name, value] of Object.entries(step.fixed)) if (known.has(name)) query.set(name, value)
  if (agentVerifierIds.includes(verifierId) && plan?.agentId !== undefined) query.set('agentId', plan.agentId)
  if (verifierId === agentDelegationId && plan?.agentWallet !== undefined)
    query.set(
      'agentWallet',
      plan.agentChain === undefined ? plan.agentWallet : `${plan.agentChain}:${plan.agentWallet}`,
    )
  if (model.verifiers[verifierId].flow === 'external_lookup' && !model.verifiers[verifierId].keepsForever)
    query.set('since', String(api.now() - lookedUpCountsMs))

  const look = async (headers?: Readonly<Record<string, string>>): Promise<boolean> => {
    const { matchedQHashes } = await api.get(`proofs/check?${query}`, headers)
    const found = Array.isArray(matchedQHashes) ? matchedQHashes.filter((one) => typeof one === 'string') : []
    if (found.length === 0 || !place.isConnected) return false
    // The newest comes first.
    const qHash = found[0] as string
    const use = (): void =>
      finished({
        verifierId,
        qHash,
        wallet: person.address,
        reused: true,
        ...(plan?.agentId !== undefined && plan.agentWallet !== undefined
          ? { agent: { agentId: plan.agentId, agentWallet: plan.agentWallet } }
          : {}),
      })
    place.replaceChildren(
      makeElement(
        'div',
        { class: 'notice' },
        makeElement('p', {}, words.found(found.length)),
        renderFacts([[words.id, qHash, true]]),
        renderButton(words.use, use, 'secondary'),
      ),
    )
    return true
  }

  try {
    if ((await look()) || !person.wallet || desk.csrf() !== undefined || !place.isConnected) return
    place.replaceChildren(
      makeElement(
        'details',
        {},
        makeElement('summary', {}, words.question),
        makeElement(
          'div',
          { class: 'details-body' },
          makeElement('p', {}, words.privateNote),
          renderButton(words.look, (event) => void lookSigned(event.currentTarget as HTMLElement), 'secondary'),
        ),
      ),
    )
  } catch {
    // Reusing a proof is a convenience: on failure, the page makes a new one.
  }

  async function lookSigned(pressed: HTMLElement): Promise<void> {
    const isCurrent = desk.attempts.begin()
    if (!isCurrent) return
    try {
      desk.attempts.say(claim.signText(person.wallet!.name), pressed)
      const walletAddress = person.address.startsWith('0x') ? person.address.toLowerCase() : person.address
      const action = { action: 'gate_check_private_proofs', walletAddress }
      const headers = await api.ownerHeaders(person, action, isCurrent)
      const isThere = await look(headers)
      if (!isCurrent()) return
      desk.attempts.finish()
      if (!isThere) place.replaceChildren(makeElement('p', { class: 'quiet' }, words.none))
    } catch (error) {
      if (isCurrent()) showFailure(desk, view, error, pressed, () => void lookSigned(pressed))
    }
  }
}

/** Members of `data` that the proof check takes under the same name. */
const known = new Set([
  'contractAddress',
  'tokenId',
  'chainId',
  'domain',
  'minBalance',
  'provider',
  'contentHash',
  'referenceId',
])
