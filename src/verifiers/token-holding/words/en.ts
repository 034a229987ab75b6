/** The English words of token-holding. */
import { chainField, defineContractField } from '../../assets/fields.ts'
import { describeChain, isolateText, nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Token balance',
  lead: 'Show that your wallet holds a certain amount of a token.',
  says: 'This wallet held at least this much of this token when the proof was made.',
  lacks: {
    what: 'It needs a connection to a blockchain.',
    remedy: 'Add a section [chains.<name>] with chain and rpc.',
  },
  statement: ['holds at least {input.minBalance} of {~input.contractAddress}'],
  summary: ['At least {input.minBalance} of {~input.contractAddress}'],
  fields: [
    defineContractField('Contract of the token', 'Leave empty for any token. You rarely want this.'),
    chainField,
    {
      label: 'At least',
      path: 'input.minBalance',
      op: 'gte',
      kind: 'number',
      hint: 'Whole tokens, such as 1.5.',
    },
  ],
  requirement(criteria, tools) {
    const least = criteria.take('minBalance', 'requiredMinBalance')
    const contract = criteria.take('contractAddress')
    const token = nameValue('a token', contract, 'the token')
    return `holds ${least === undefined ? token : `at least ${isolateText(least)} of ${token}`}${describeChain(criteria, tools)}`
  },
  names: {
    minBalance: 'At least',
    requiredMinBalance: 'At least',
    requiredMinBalanceBaseUnits: 'At least, in base units',
    decimals: 'Decimals',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check it now',
  minBalance: 'At least',
  mustBe: 'must be a number such as 10 or 0.5',
  minBalanceHint: 'In whole tokens, such as 10 or 0.5. Your balance is not shown.',
}
