/**
 * Proof of being human. The provider's app or tool makes the proofs: the form shows their parameters, and takes them
 * unchanged.
 */
import { makeElement, renderFacts } from '../../web/ui/dom.ts'
import { type Asked, FormFault, type VerifierForm } from '../form.ts'

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

/** The instructions for each provider, shown before the server's parameters. */
const leads: Readonly<Record<string, string>> = {
  zkpassport: 'Ask the ZKPassport app for a proof of these, and paste its result.',
  semaphore: 'Make a Semaphore proof with these as message and scope, and paste it.',
  worldid: 'Verify with World ID for this action and signal, and paste the result of IDKit.',
  passport: 'Nothing to paste: the score of your wallet is asked for.',
}

const words: Readonly<Record<string, string>> = {
  semaphoreMessage: 'Message',
  semaphoreScope: 'Scope',
  mode: 'Mode',
  action: 'Action',
  signal: 'Signal',
  appId: 'App',
  rpId: 'Relying party',
  groupId: 'Group',
  contract: 'Contract',
  chain: 'Chain',
  minScore: 'Least score',
}

export function makeForm(providers: readonly HumanProvider[], wanted: string | undefined): VerifierForm {
  const offered = wanted === undefined ? providers : providers.filter(({ id }) => id === wanted)
  const findChosen = (id: string): HumanProvider => offered.find((one) => one.id === id) ?? offered[0]!
  const about = makeElement('div')
  return {
    submit: 'Check now',
    fields: [
      {
        name: 'provider',
        label: 'Way to show it',
        kind: 'choice',
        isRequired: true,
        options: offered.map(({ id, label }) => [id, label] as const),
      },
      {
        name: 'proof',
        label: 'Proof',
        kind: 'area',
        hint: 'The JSON that the app or tool gave you.',
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
  const rows = Object.entries(words).flatMap(([name, label]) =>
    provider[name] === undefined ? [] : [[label, String(provider[name])] as const],
  )
  // The app uses its own names for domain and scope.
  const ofPassport =
    id === 'zkpassport'
      ? ([
          ['Domain', String(domain)],
          ['Scope', String(scope)],
        ] as const)
      : []
  const bound = Object.entries(bind as Readonly<Record<string, string>>).map(
    ([name, value]) => [`Bind ${name}`, value] as const,
  )
  return renderFacts([...ofPassport, ...rows, ...bound].map(([name, value]) => [name, value, value.length > 30]))
}

/** Accepts one proof, a list of them, or the result of a page that requested them. */
function readProofs(text: string): { readonly proofs: readonly unknown[]; readonly queryResult?: object } {
  const given = parseJson(text)
  if (Array.isArray(given)) return { proofs: given }
  if (typeof given !== 'object' || given === null) throw new FormFault('The proof must be JSON.', 'proof')
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
