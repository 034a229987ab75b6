/** One claim: its form, the wallet that signs it, and how it ended. The same in a list of verifiers and in a checkout. */

import { walletLinkId } from '../../verifiers/roles.ts'
import { makeElement } from '../../web/ui/dom.ts'
import type { OfferedVerifier } from '../verify-model.ts'
import { showForm } from './claim-form.ts'
import { makeInteractiveForm } from './interactive.ts'
import { showLink } from './link-view.ts'
import { readChain } from './person.ts'
import type { Desk, StepView } from './step.ts'
import { buildForm, fetchForm, hasForm } from './verifier-forms.ts'
import { describeError } from './words.ts'

/** Reusing a proof is a convenience: without this part, the page makes a new one. */
const loadEarlier = () => import('./earlier-proof.ts').catch(() => undefined)

/** Begins to load what a step will show. */
export function fetchStep(verifierId: string): void {
  fetchForm(verifierId)
  void loadEarlier()
}

export async function showStep(desk: Desk, view: StepView): Promise<void> {
  const { model, work } = desk
  const { step, heading } = view
  const { verifierId } = step
  const { title, lead, absence, signInKind }: Partial<OfferedVerifier> = model.verifiers[verifierId] ?? {
    title: verifierId,
    lead: '',
  }
  const top = makeElement('h2', { tabindex: -1 }, heading || title)
  // The page may have said it above, before a wallet was chosen.
  const intro = document.getElementById('about') ? '' : makeElement('p', {}, lead)
  if (absence !== undefined && !signInKind) {
    work.replaceChildren(top, intro, renderNotOffered(absence))
    return
  }
  work.replaceChildren(top, intro)
  top.focus({ preventScroll: true })
  const place = makeElement('div')
  const earlier = makeElement('div')
  work.append(earlier, place)
  void loadEarlier().then((part) => part?.offerEarlier(desk, view, earlier))
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
  try {
    const asked = { model, person, signerChain, fixed: step.fixed, dataSchema, agent }
    const spec = await buildForm(verifierId, asked)
    if (place.isConnected) showForm(desk, view, place, spec)
  } catch (error) {
    if (place.isConnected) desk.attempts.fail(describeError(error))
  }
}

/** The page already says above that a link asks for an unsupported verifier, before it asks for a wallet. */
const renderNotOffered = (why: string): HTMLElement => makeElement('p', { class: 'notice warning' }, why)

/** Only for a verifier without a form: the catalog is large. */
async function readSchema({ api }: Desk, verifierId: string): Promise<object | undefined> {
  if (hasForm(verifierId)) return undefined
  const catalog = await api.catalog().catch(() => undefined)
  return catalog?.[verifierId]
}
