/** The English words of contract-ownership. */
import { chainField, defineContractField } from '../../assets/fields.ts'
import { describeChain, nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Smart contract',
  lead: 'Show that your wallet controls a smart contract.',
  says: 'This wallet controlled this smart contract when the proof was made.',
  lacks: {
    what: 'It needs a connection to an Ethereum-compatible blockchain.',
    remedy: 'Add a section [chains.<name>] with chain = "eip155:…" and rpc.',
  },
  statement: ['controls the contract {~input.contractAddress}'],
  summary: ['Controls {~input.contractAddress}'],
  fields: [
    defineContractField('Contract', 'Leave empty for any contract.'),
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
  names: {
    method: 'How it is controlled',
    verificationMethod: 'How it is controlled',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check it now',
  mustBe: 'must be 0x and 40 hexadecimal digits',
  method: 'How your wallet controls it',
  methods: { owner: 'Owner', admin: 'Admin of a proxy', accessControl: 'Default admin role' },
}
