/** The form of token-holding: a token, and the least balance. */
import { contractField, defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

export const makeForm = ({ model, person }: Asked): VerifierForm => ({
  submit: words.submit,
  fields: [
    defineChainField(model.chains, 'any'),
    contractField,
    {
      name: 'minBalance',
      label: words.minBalance,
      isRequired: true,
      isKept: true,
      maxLength: 78,
      pattern: /^[0-9]+(\.[0-9]+)?$/,
      mustBe: words.mustBe,
      hint: words.minBalanceHint,
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    minBalance: values.text('minBalance'),
    ...readChain(values),
    ownerAddress: person.address,
  }),
})
