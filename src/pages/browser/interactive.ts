/**
 * Forms of verifiers that need a visit elsewhere: an account at another service, an organization, proof of being human.
 * The server lists its services; if it has none, the form says so.
 */

import { FormFault, type VerifierForm } from '../../verifiers/form.ts'
import { type HumanProvider, loadHumanForm } from '../../verifiers/forms.ts'
import { makeElement } from '../../web/ui/dom.ts'
import { accountStep as words } from '../words/en/verify.ts'
import { Refusal } from './json-api.ts'
import { loadPart } from './load-part.ts'
import type { Desk, StepView } from './step.ts'

interface Provider extends HumanProvider {
  readonly kinds?: readonly string[]
}

export async function makeInteractiveForm(
  desk: Desk,
  view: StepView,
  absence: string | undefined,
): Promise<VerifierForm | { readonly none: string }> {
  const { verifierId } = view.step
  const kind = desk.model.verifiers[verifierId]!.signInKind!
  const none = { none: absence ?? words.nobody }
  try {
    const human = kind === 'human' ? await loadPart(loadHumanForm) : undefined
    const path = human ? human.writeProvidersPath(view.person) : 'auth/oauth/providers'
    const found = (await desk.api.list(path)) as readonly Provider[]
    const providers = found.filter((one) => human !== undefined || (one.kinds ?? [kind]).includes(kind))
    const { provider } = view.step.fixed
    if (providers.length === 0) return none
    if (!human) return makeAccountForm(desk, view, providers)
    // Otherwise the claim would be refused without a clear reason.
    if (provider !== undefined && !providers.some(({ id }) => id === provider)) return none
    return human.makeForm(providers, provider)
  } catch (error) {
    if (error instanceof Refusal && ['NOT_FOUND', '404', 'METHOD_NOT_ALLOWED'].includes(error.code)) return none
    return { none: words.cannotLoad }
  }
}

/** Only the name of the provider is kept during the visit to the other service. */
const providerKey = 'oauth provider'

function makeAccountForm(desk: Desk, view: StepView, providers: readonly Provider[]): VerifierForm {
  const { model, api, journey, attempts } = desk
  const { person, step } = view
  const { oauthProvider, expectedOrgDomain, oauthState, oauthError } = model.request
  const kept = journey.valuesAt(providerKey)
  const isBack = oauthState !== undefined && kept.state === oauthState && kept.step === step.key
  if (isBack) return makeBackForm(desk, view, writeLabel(providers, kept.provider), kept.provider!)
  const preset = providers.find(({ id }) => id === (step.fixed.provider ?? oauthProvider))
  return {
    submit: words.submit,
    fields: [
      {
        name: 'provider',
        label: model.verifiers[step.verifierId]!.signInKind === 'org' ? words.organization : words.service,
        kind: 'choice',
        isRequired: true,
        options: providers.map(({ id, label }) => [id, label] as const),
        ...(preset ? { value: preset.id, isFixed: step.fixed.provider !== undefined } : {}),
      },
    ],
    more: {
      element: makeElement(
        'div',
        {},
        oauthError !== undefined && makeElement('p', { class: 'notice warning' }, describeReturn(oauthError)),
        expectedOrgDomain !== undefined &&
          makeElement('p', {}, words.askedFor, makeElement('strong', {}, expectedOrgDomain)),
        makeElement('p', {}, words.leave),
      ),
    },
    async data(values) {
      const provider = values.text('provider')
      attempts.say(words.goingTo(writeLabel(providers, provider)))
      const { authorizationUrl, state } = await api.post(
        `auth/oauth/start/${encodeURIComponent(provider)}`,
        { walletAddress: person.address, returnTo: `/verify?${omitReturn()}` },
        desk.csrf(),
      )
      if (typeof authorizationUrl !== 'string' || !/^https?:/i.test(authorizationUrl))
        throw new FormFault(words.unreachable, 'provider')
      journey.remember(providerKey, { provider, state: String(state), step: step.key })
      location.assign(authorizationUrl)
      // The page is being left, so the promise stays pending.
      return new Promise<never>(() => {})
    },
  }
}

/** Explains why the sign-in failed: the error words of /api/v1/auth/oauth/{provider}/exchange. */
function describeReturn(oauthError: string): string {
  if (oauthError === 'access_denied') return words.notAgreed
  if (oauthError === 'provider_unavailable') return words.noAnswer
  return words.notCounted
}

/** The address of this page without the parameters of the OAuth return. */
function omitReturn(): string {
  const query = new URLSearchParams(location.search)
  for (const name of ['oauthState', 'oauthError']) query.delete(name)
  return query.toString()
}

/** A token is valid for a minute, so a retry within that time reuses it. */
const tokenGoodForMs = 50_000

/** The form after the return from the other service: only the signature is left. */
function makeBackForm(desk: Desk, { step, person }: StepView, label: string, provider: string): VerifierForm {
  const { api, model } = desk
  const { expectedOrgDomain, oauthState } = model.request
  const again = `?${omitReturn()}`
  let token: { readonly text: unknown; readonly at: number } | undefined
  return {
    submit: words.finish(label),
    fields: [],
    more: {
      element: makeElement(
        'div',
        {},
        makeElement('p', { class: 'notice' }, words.back(label)),
        makeElement('p', {}, makeElement('a', { href: again }, words.startOver), words.startOverNote),
      ),
    },
    async data() {
      if (token && Date.now() - token.at > tokenGoodForMs) {
        location.assign(again)
        return new Promise<never>(() => {})
      }
      if (!token) {
        const path = `auth/oauth/${encodeURIComponent(provider)}/exchange`
        const body = { state: oauthState, walletAddress: person.address }
        const { internalSocialToken } = await api.post(path, body, desk.csrf())
        token = { text: internalSocialToken, at: Date.now() }
      }
      return {
        provider,
        internalSocialToken: token.text,
        walletAddress: person.address,
        ...(expectedOrgDomain === undefined || model.verifiers[step.verifierId]!.signInKind !== 'org'
          ? {}
          : { expectedOrgDomain }),
      }
    },
  }
}

const writeLabel = (providers: readonly Provider[], id: string | undefined): string =>
  providers.find((one) => one.id === id)?.label ?? words.theService
