/** The words of token-holding. */
import { chainField, defineContractField } from '../assets/fields.ts'
import { describeChain, isolateText, nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Token balance',
  lead: 'Show that your wallet holds at least so much of a token.',
  summary: ['At least {input.minBalance} of {~input.contractAddress}'],
  fields: [
    defineContractField('Contract of the token', 'Empty: any token will do, which is hardly what you want.'),
    chainField,
    {
      label: 'At least so many',
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
}
