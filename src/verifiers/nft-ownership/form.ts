/** The form of nft-ownership: a token of a collection. */
import { contractField, defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

export const makeForm = ({ model, person }: Asked): VerifierForm => ({
  submit: words.submit,
  fields: [
    defineChainField(model.chains, 'any'),
    contractField,
    { name: 'tokenId', label: words.tokenId, isRequired: true, isKept: true, maxLength: 78 },
    {
      name: 'tokenType',
      label: words.tokenType,
      kind: 'choice',
      isRequired: true,
      isKept: true,
      options: Object.entries(words.tokenTypes),
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    tokenId: values.text('tokenId'),
    ...readChain(values),
    ownerAddress: person.address,
    ...(/^[0-9]+$/.test(values.text('chainId')) ? { tokenType: values.text('tokenType') } : {}),
  }),
})
