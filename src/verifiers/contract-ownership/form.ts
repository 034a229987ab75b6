/** The form of contract-ownership: a contract, and how the wallet controls it. */
import { contractField, defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'

const evmAddress = /^0x[0-9a-fA-F]{40}$/
const mustBeEvm = 'must be 0x and 40 hexadecimal digits'

export const makeForm = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    { ...contractField, pattern: evmAddress, mustBe: mustBeEvm },
    defineChainField(model.chains, 'evm'),
    {
      name: 'method',
      label: 'How your wallet controls it',
      kind: 'choice',
      isRequired: true,
      isKept: true,
      options: [
        ['owner', 'Owner'],
        ['admin', 'Admin of a proxy'],
        ['accessControl', 'Default admin role'],
      ],
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    ...readChain(values),
    walletAddress: person.address,
    method: values.text('method'),
  }),
})
