/** The form of nft-ownership: a token of a collection. */
import { contractField, defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'

export const makeForm = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    defineChainField(model.chains, 'any'),
    contractField,
    { name: 'tokenId', label: 'Token id', isRequired: true, isKept: true, maxLength: 78 },
    {
      name: 'tokenType',
      label: 'Kind',
      kind: 'choice',
      isRequired: true,
      isKept: true,
      options: [
        ['erc721', 'ERC-721, one of a kind'],
        ['erc1155', 'ERC-1155, several of a kind'],
      ],
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
