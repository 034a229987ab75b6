/** The words of contract-ownership. */
import { chainField, defineContractField } from '../assets/fields.ts'
import { describeChain, nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Smart contract',
  lead: 'Show that your wallet controls a smart contract.',
  summary: ['Controls {~input.contractAddress}'],
  fields: [
    defineContractField('Contract', 'Empty: any contract will do.'),
    chainField,
    {
      label: 'How it is controlled',
      path: 'input.method',
      op: 'eq',
      kind: [
        ['owner', 'Owner'],
        ['admin', 'Admin of a proxy'],
        ['accessControl', 'Default admin role'],
      ],
    },
  ],
  requirement: (criteria, tools) =>
    `controls ${nameValue('a contract', criteria.take('contractAddress'), 'the contract')}${describeChain(criteria, tools)}`,
}
