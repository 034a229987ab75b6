/** The form of token-holding: a token, and the least balance. */
import { contractField, defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'

export const makeForm = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    defineChainField(model.chains, 'any'),
    contractField,
    {
      name: 'minBalance',
      label: 'At least',
      isRequired: true,
      isKept: true,
      maxLength: 78,
      pattern: /^[0-9]+(\.[0-9]+)?$/,
      mustBe: 'must be a number such as 10 or 0.5',
      hint: 'In whole tokens, such as 10 or 0.5. Your balance itself is not shown.',
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    minBalance: values.text('minBalance'),
    ...readChain(values),
    ownerAddress: person.address,
  }),
})
