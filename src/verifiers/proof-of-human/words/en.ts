/** The English words of proof-of-human. */
import { isolateText } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Human being',
  lead: 'Show that you are a person, without saying who.',
  says: 'The owner of this wallet is a human being.',
  lacks: {
    what: 'It needs a service that can tell a human being from a program.',
    remedy: 'Set up zkpassport, semaphore, worldid or passport under [human].',
  },
  statement: ['belongs to a human being'],
  fields: [
    {
      label: 'Lowest age in years',
      path: 'claims.age_min',
      op: 'gte',
      kind: 'number',
      hint: 'Leave empty for any age.',
    },
  ],
  requirement(criteria) {
    const age = criteria.take('age_min', 'ageMin')
    return `has shown to be a person${age === undefined ? '' : ` of at least ${isolateText(age)} years`}`
  },
  names: {
    assuranceLevel: 'How sure it is',
    scope: 'Where it counts',
    domain: 'Domain',
    age_min: 'Lowest age',
    sanctions_passed: 'On no sanctions list',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check it now',
  provider: 'Provider',
  proof: 'Proof',
  proofHint: 'The JSON that the app or tool gave you.',
  mustBeJson: 'The proof must be JSON.',
  leads: {
    zkpassport: 'Ask the ZKPassport app for a proof with these values, then paste its result.',
    semaphore: 'Make a Semaphore proof with this message and scope, then paste it.',
    worldid: 'Verify with World ID for this action and signal, then paste the result of IDKit.',
    passport: 'You need not paste anything. This server asks for the score of your wallet.',
  },
  facts: {
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
    minScore: 'Lowest score',
  },
  domain: 'Domain',
  scope: 'Scope',
  bind: (name: string) => `Bind ${name}`,
}
