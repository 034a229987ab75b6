/** The form of a claim, and the proof that it makes. */

import { type Field, FormFault, type Values, type VerifierForm } from '../../verifiers/form.ts'
import { makeElement } from '../../web/ui/dom.ts'
import type { VerifyModel } from '../verify-model.ts'
import { verify, claim as words } from '../words/en/verify.ts'
import { type Privacy, renderForm, renderPrivacyChoice } from './form.ts'
import { makeOutcome } from './outcome.ts'
import { isSameAddress } from './person.ts'
import type { Desk, StepView } from './step.ts'

/** The site behind the link, unless it is this server. */
function readAsker({ popup, returnUrl }: VerifyModel['request']): string | undefined {
  const site = popup ?? returnUrl
  const { host } = new URL(site ?? location.href)
  return host === location.host ? undefined : host
}

export function showForm(desk: Desk, view: StepView, place: HTMLElement, spec: VerifierForm): void {
  const { attempts, journey } = desk
  const { step } = view
  let privacy: Privacy = 'private'
  const isSigned = view.person.wallet !== undefined
  const { kept: before } = desk
  // It is the form of one wallet, and somebody else may use the tab by now.
  const isTheirs = before?.step === step.key && isSameAddress(before.wallet ?? '', view.person.address)
  if (isTheirs) privacy = (before.values.privacy as Privacy | undefined) ?? privacy
  const form = renderForm({
    fields: [...spec.fields, titleField],
    choices: isSigned ? [keepField] : [],
    submit: isSigned ? (spec.submit ?? words.submit) : words.submitUnsigned,
    more: [
      spec.more?.element,
      ...(isSigned
        ? []
        : [makeElement('p', { class: 'notice warning' }, `${words.notSigned} ${verify.unsignedLimits}`)]),
      renderPrivacyChoice(
        privacy,
        (chosen) => {
          privacy = chosen
        },
        readAsker(desk.model.request),
      ),
    ],
    kept: { ...journey.valuesAt(step.key), ...(isTheirs && before.values) },
    onKeep: (values) => journey.remember(step.key, values),
    ...(spec.more?.update ? { onChange: (values: Values) => spec.more!.update!(values) } : {}),
    onFault: (text, field) => {
      if (!attempts.isUnderWay) attempts.fail(text, field)
    },
    onSubmit: () => void submit(),
  })
  desk.kept = undefined
  if (isSigned) form.element.lastElementChild!.before(makeElement('p', { class: 'quiet' }, words.signHint))
  place.append(form.element)

  async function submit(): Promise<void> {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    const pressed = form.element.querySelector<HTMLButtonElement>('[type=submit]')!
    try {
      attempts.say(words.preparing)
      const data = await spec.data(form.values)
      const title = form.values.given(titleField.name)
      const options = {
        ...(isSigned ? { keepPortable: form.values.ticked(keepField.name) } : {}),
        ...spec.options?.(form.values),
        ...(title === undefined ? {} : { meta: { title } }),
      }
      if (isCurrent()) await prove(desk, view, { data, privacy, options, title, isCurrent, pressed })
    } catch (error) {
      if (!isCurrent()) return
      if (error instanceof FormFault) return attempts.fail(error.message, form.blame(error.field))
      showFailure(desk, view, error, pressed, () => form.element.requestSubmit())
    }
  }
}

/** Names of their own, because the fields of a verifier stand beside them. */
const titleField: Field = {
  name: 'proofTitle',
  label: words.title,
  maxLength: 200,
  isKept: true,
  hint: words.titleHint,
}

const keepField: Field = {
  name: 'keepPortable',
  label: words.keep,
  kind: 'tick',
  value: 'true',
  hint: words.keepHint,
}

interface Proving {
  readonly data: object
  readonly privacy: Privacy
  readonly options: object
  readonly title: string | undefined
  readonly isCurrent: () => boolean
  readonly pressed: HTMLElement
}

async function prove(
  desk: Desk,
  view: StepView,
  { data, privacy, options, title, isCurrent, pressed }: Proving,
): Promise<void> {
  const { api, attempts, model, proofs } = desk
  const { step, person } = view
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
      isCurrent,
      say: (text) => {
        if (!isCurrent()) return
        const isChecking = text === words.checking
        attempts.say(isChecking && isLookedUp ? words.lookingUp : text, isChecking ? undefined : pressed)
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
    title,
    isUnsigned: person.wallet === undefined,
    isPrivate: privacy === 'private',
    ...(agentId !== undefined && agentWallet !== undefined ? { agent: { agentId, agentWallet } } : {}),
  })
}

export function showFailure(
  { attempts, renderSessionOver }: Desk,
  { person }: StepView,
  error: unknown,
  focus: HTMLElement,
  again: () => void,
): void {
  const { node, kind } = makeOutcome(error, person.wallet?.name ?? verify.theWallet, again, () =>
    renderSessionOver(person.address),
  )
  attempts.fail(node, focus, kind)
}
