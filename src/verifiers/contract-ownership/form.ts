/** The form of contract-ownership: a contract, and how the wallet controls it. */
import { contractField, defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

const evmAddress = /^0x[0-9a-fA-F]{40}$/

export const makeForm = ({ model, person }: Asked): VerifierForm => ({
  submit: words.submit,
  fields: [
    { ...contractField, pattern: evmAddress, mustBe: words.mustBe },
    defineChainField(model.chains, 'evm'),
    {
      name: 'method',
      label: words.method,
      kind: 'choice',
      isRequired: true,
      isKept: true,
      options: Object.entries(words.methods),
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    ...readChain(values),
    walletAddress: person.address,
    method: values.text('method'),
  }),
})
