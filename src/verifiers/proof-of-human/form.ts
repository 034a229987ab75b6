/**
 * Proof of being human. The provider's app or tool makes the proofs: the form shows their parameters, and takes them
 * unchanged.
 */
import { makeElement, renderFacts } from '../../web/ui/dom.ts'
import { type Asked, FormFault, type VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

/** As GET /api/v1/verification/human/providers describes them. */
export interface HumanProvider {
  readonly id: string
  readonly label: string
  readonly scope?: string
  readonly [fact: string]: unknown
}

/**
 * With the wallet, the server returns the values that a proof must be bound to. A contract is identified with its
 * chain.
 */
export function writeProvidersPath({ address, context }: Asked['person']): string {
  const chain = context.chain ?? (context.chainId === undefined ? undefined : `eip155:${context.chainId}`)
  const on = chain?.startsWith('eip155:') ? `&contractOn=${encodeURIComponent(chain)}` : ''
  return `verification/human/providers?walletAddress=${encodeURIComponent(address)}${on}`
}

/** By provider: shown before the server's parameters. */
const leads: Readonly<Record<string, string>> = words.leads

export function makeForm(providers: readonly HumanProvider[], wanted: string | undefined): VerifierForm {
  const offered = wanted === undefined ? providers : providers.filter(({ id }) => id === wanted)
  const findChosen = (id: string): HumanProvider => offered.find((one) => one.id === id) ?? offered[0]!
  const about = makeElement('div')
  return {
    submit: words.submit,
    fields: [
      {
        name: 'provider',
        label: words.provider,
        kind: 'choice',
        isRequired: true,
        options: offered.map(({ id, label }) => [id, label] as const),
      },
      {
        name: 'proof',
        label: words.proof,
        kind: 'area',
        hint: words.proofHint,
        isRequired: offered.every(needsProof),
      },
    ],
    more: {
      element: about,
      update(values) {
        const provider = findChosen(values.text('provider'))
        about.replaceChildren(makeElement('p', {}, leads[provider.id] ?? ''), listFacts(provider))
      },
    },
    data(values) {
      const { id, scope } = findChosen(values.text('provider'))
      const given = needsProof({ id }) ? readProofs(values.text('proof')) : { proofs: [{}] }
      return { queryResult: {}, ...given, provider: id, ...(scope === undefined ? {} : { scope }) }
    },
  }
}

/** The server itself requests a score. */
const needsProof = ({ id }: Pick<HumanProvider, 'id'>): boolean => id !== 'passport'

function listFacts(provider: HumanProvider): HTMLElement {
  const { id, domain, scope, bind = {} } = provider
  const rows = Object.entries(words.facts).flatMap(([name, label]) =>
    provider[name] === undefined ? [] : [[label, String(provider[name])] as const],
  )
  // The app uses its own names for domain and scope.
  const ofPassport =
    id === 'zkpassport'
      ? ([
          [words.domain, String(domain)],
          [words.scope, String(scope)],
        ] as const)
      : []
  const bound = Object.entries(bind as Readonly<Record<string, string>>).map(
    ([name, value]) => [words.bind(name), value] as const,
  )
  return renderFacts([...ofPassport, ...rows, ...bound].map(([name, value]) => [name, value, value.length > 30]))
}

/** Accepts one proof, a list of them, or the result of a page that requested them. */
function readProofs(text: string): { readonly proofs: readonly unknown[]; readonly queryResult?: object } {
  const given = parseJson(text)
  if (Array.isArray(given)) return { proofs: given }
  if (typeof given !== 'object' || given === null) throw new FormFault(words.mustBeJson, 'proof')
  const { proofs, queryResult, result = queryResult } = given as Readonly<Record<string, unknown>>
  if (!Array.isArray(proofs)) return { proofs: [given] }
  return { proofs, ...(typeof result === 'object' && result !== null ? { queryResult: result } : {}) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
