/** One claim: its form, the wallet that signs it, and how it ended. The same in a list of verifiers and in a checkout. */

import { FormFault, type Values, type VerifierForm } from '../../verifiers/form.ts'
import { agentDelegationId, agentVerifierIds, walletLinkId } from '../../verifiers/roles.ts'
import { makeElement, renderButton, renderFacts, shortenAddress } from '../../web/ui/dom.ts'
import type { OfferedVerifier, VerifyModel } from '../verify-model.ts'
import { renderForm, renderPrivacyChoice } from './form.ts'
import { makeInteractiveForm } from './interactive.ts'
import { signAsSecond } from './link-step.ts'
import { makeOutcome } from './outcome.ts'
import { isSameAddress, type Person, readChain } from './person.ts'
import type { Desk, StepView } from './step.ts'
import { buildForm, hasForm } from './verifier-forms.ts'

export async function showStep(desk: Desk, view: StepView): Promise<void> {
  const { model, work } = desk
  const { step, heading } = view
  const { verifierId } = step
  const { title, lead, absence, signInKind }: Partial<OfferedVerifier> = model.verifiers[verifierId] ?? {
    title: verifierId,
    lead: '',
  }
  const top = makeElement('h2', { tabindex: -1 }, heading || title)
  const intro = makeElement('p', {}, lead)
  if (absence !== undefined && !signInKind) {
    work.replaceChildren(top, intro, renderNotOffered(absence))
    return
  }
  work.replaceChildren(top, intro)
  top.focus({ preventScroll: true })
  const place = makeElement('div')
  const earlier = makeElement('div')
  work.append(earlier, place)
  void offerEarlier(desk, view, earlier)
  if (verifierId === walletLinkId) return showLink(desk, view, place)
  if (signInKind) {
    const form = await makeInteractiveForm(desk, view, absence)
    if (!place.isConnected) return
    if ('none' in form) place.append(renderNotOffered(form.none))
    else showForm(desk, view, place, form)
    return
  }
  const dataSchema = await readSchema(desk, verifierId)
  if (!place.isConnected) return
  const agent = desk.journey.findAgent()
  const { person } = view
  const signerChain = readChain(person, model.hubChainId)
  const spec = buildForm(verifierId, { model, person, signerChain, fixed: step.fixed, dataSchema, agent })
  showForm(desk, view, place, spec)
}

/** The page already says above that a link asks for an unsupported verifier, before it asks for a wallet. */
const renderNotOffered = (why: string): HTMLElement => makeElement('p', { class: 'notice warning' }, why)

/** Only for a verifier without a form: the catalog is large. */
async function readSchema({ api }: Desk, verifierId: string): Promise<object | undefined> {
  if (hasForm(verifierId)) return undefined
  const catalog = await api.catalog().catch(() => undefined)
  return catalog?.[verifierId]
}

/** The site behind the link. */
function readAsker({ popup, returnUrl }: VerifyModel['request']): string | undefined {
  const site = popup ?? returnUrl
  return site === undefined ? undefined : new URL(site).host
}

function showForm(desk: Desk, view: StepView, place: HTMLElement, spec: VerifierForm): void {
  const { attempts, journey } = desk
  const { step } = view
  const form = renderForm({
    fields: spec.fields,
    submit: view.person.wallet ? (spec.submit ?? 'Sign and check') : 'Make the proof',
    more: [
      spec.more?.element,
      renderPrivacyChoice(
        journey.privacy,
        (privacy) => {
          journey.privacy = privacy
        },
        readAsker(desk.model.request),
      ),
      !view.person.wallet &&
        makeElement(
          'p',
          { class: 'notice' },
          'You are signed in and no wallet is connected: the proof is made without a signature. It holds on this server, and cannot be taken elsewhere.',
        ),
    ],
    kept: journey.valuesAt(step.key),
    onKeep: (values) => journey.remember(step.key, values),
    ...(spec.more?.update ? { onChange: (values: Values) => spec.more!.update!(values) } : {}),
    onFault: (text, field) => {
      if (!attempts.isUnderWay) attempts.fail(text, field)
    },
    onSubmit: () => void submit(),
  })
  place.append(form.element)

  async function submit(): Promise<void> {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    const pressed = form.element.querySelector<HTMLButtonElement>('[type=submit]')!
    try {
      attempts.say('Preparing …')
      const data = await spec.data(form.values)
      if (isCurrent()) await prove(desk, view, { data, options: spec.options?.(form.values) ?? {}, isCurrent, pressed })
    } catch (error) {
      if (!isCurrent()) return
      if (error instanceof FormFault) return attempts.fail(error.message, form.blame(error.field))
      showFailure(desk, view, error, pressed, () => form.element.requestSubmit())
    }
  }
}

interface Proving {
  readonly data: object
  readonly options: object
  readonly isCurrent: () => boolean
  readonly pressed: HTMLElement
}

async function prove(desk: Desk, view: StepView, { data, options, isCurrent, pressed }: Proving): Promise<void> {
  const { api, attempts, journey, model, proofs } = desk
  const { step, person } = view
  const { privacy } = journey
  const isLookedUp = model.verifiers[step.verifierId]?.flow === 'external_lookup'
  const proof = await api.prove(
    {
      verifierId: step.verifierId,
      data,
      options: {
        privacyLevel: privacy === 'private' ? 'private' : 'public',
        publicDisplay: privacy === 'listed',
        ...options,
      },
    },
    person,
    {
      csrf: desk.csrf(),
      say: (text) => {
        if (!isCurrent()) return
        const isChecking = text.startsWith('Checking')
        attempts.say(
          isChecking && isLookedUp ? 'Looking it up. This may take some seconds …' : text,
          isChecking ? undefined : pressed,
        )
      },
    },
  )
  if (!isCurrent()) return
  proofs.set(proof.qHash, proof)
  attempts.finish()
  const { agentId, agentWallet } = data as { agentId?: string; agentWallet?: string }
  view.finished({
    verifierId: step.verifierId,
    qHash: proof.qHash,
    wallet: proof.walletAddress,
    ...(agentId !== undefined && agentWallet !== undefined ? { agent: { agentId, agentWallet } } : {}),
  })
}

function showFailure(
  { attempts }: Desk,
  { person }: StepView,
  error: unknown,
  focus: HTMLElement,
  again: () => void,
): void {
  const { node, kind } = makeOutcome(error, person.wallet?.name ?? 'The wallet', again)
  attempts.fail(node, focus, kind)
}

/** Chains and lists change, so facts read from them count for an hour. */
const lookedUpCountsMs = 3_600_000

async function offerEarlier(desk: Desk, view: StepView, place: HTMLElement): Promise<void> {
  const { api, model } = desk
  const { step, person, finished } = view
  const { verifierId } = step
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
        makeElement(
          'p',
          {},
          `You have made ${found.length > 1 ? `${found.length} such proofs` : 'such a proof'} before. You can use the newest one, or make another below.`,
        ),
        renderFacts([['Id', qHash, true]]),
        renderButton('Use the proof I have', use, 'secondary'),
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
        makeElement('summary', {}, 'Have you made this proof before?'),
        makeElement(
          'div',
          { class: 'details-body' },
          makeElement(
            'p',
            {},
            'Private proofs are looked for when your wallet signs for it. That makes nothing, and costs nothing.',
          ),
          renderButton(
            'Look among my proofs',
            (event) => void lookSigned(event.currentTarget as HTMLElement),
            'secondary',
          ),
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
      desk.attempts.say(`Sign the text that ${person.wallet!.name} shows.`, pressed)
      const headers = await api.ownerHeaders(person, {
        action: 'gate_check_private_proofs',
        walletAddress: person.address.startsWith('0x') ? person.address.toLowerCase() : person.address,
      })
      const isThere = await look(headers)
      if (!isCurrent()) return
      desk.attempts.finish()
      if (!isThere) place.replaceChildren(makeElement('p', { class: 'quiet' }, 'You have no proof of this kind yet.'))
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

/** A wallet-link has two wallets: the second one signs first. */
function showLink(desk: Desk, view: StepView, place: HTMLElement): void {
  const { attempts, wallets, api, model } = desk
  const { person } = view
  place.append(
    renderFacts([['First wallet', person.address, true]]),
    makeElement(
      'p',
      {},
      'Now the second wallet signs. If it is another account of the same wallet, switch to it there, then choose the wallet here.',
    ),
  )
  if (!person.wallet) {
    place.append(
      makeElement(
        'p',
        { class: 'notice warning' },
        'Linking needs the first wallet as well: choose “Use another wallet” above, and connect it.',
      ),
    )
    return
  }
  wallets.ask({
    heading: 'Second wallet',
    other: {
      address: person.address,
      why: `This is the first wallet, ${shortenAddress(person.address)}. Switch to the other account in the wallet, then try again.`,
    },
    async chosen(second, isCurrent) {
      attempts.say(`Sign the text that ${second.wallet!.name} shows: it says that both wallets belong together.`)
      const signed = await signAsSecond(person, second, { api, hubChainId: model.hubChainId })
      if (!isCurrent()) return
      attempts.finish()
      wallets.hide()
      place.replaceChildren(
        renderFacts([
          ['First wallet', person.address, true],
          ['Second wallet, has signed', signed.address, true],
        ]),
        makeElement(
          'p',
          {},
          'Now the first wallet signs. If it is another account of the same wallet, switch back to it there.',
        ),
      )
      const ready = desk.people.find(({ address }) => isSameAddress(address, person.address))
      const form = makeElement('div')
      place.append(form)
      const sign = (first: Person): void => {
        wallets.hide()
        form.replaceChildren()
        showForm(desk, { ...view, person: first }, form, {
          submit: 'Sign with the first wallet',
          fields: [
            {
              name: 'relationshipType',
              label: 'How they belong together',
              kind: 'choice',
              isRequired: true,
              options: [
                ['linked', 'Linked'],
                ['personal', 'Both are mine'],
                ['org', 'An organization'],
                ['affiliate', 'Affiliate'],
                ['agent', 'An agent of mine'],
              ],
            },
            { name: 'label', label: 'A name for the link', maxLength: 64 },
          ],
          data: (values) => ({
            ...signed.data,
            relationshipType: values.text('relationshipType'),
            ...(values.given('label') === undefined ? {} : { label: values.given('label') }),
          }),
        })
      }
      if (ready) return sign(ready)
      wallets.ask({
        heading: 'First wallet',
        address: person.address,
        chosen(first) {
          attempts.finish()
          desk.people.unshift(first)
          sign(first)
        },
      })
    },
  })
}
