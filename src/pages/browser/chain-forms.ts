/** The forms of verifiers that look at a wallet on a chain: what it controls, holds, and is known for. */
import type { VerifyModel } from '../verify-model.ts'
import type { Field, Values } from './form.ts'
import { type Asked, anyAddress, type VerifierForm } from './verifier-form.ts'

const evmAddress = /^0x[0-9a-fA-F]{40}$/
const beEvm = 'must be 0x and 40 hexadecimal digits'

const chainField = (model: VerifyModel, only: 'evm' | 'any'): Field => ({
  name: 'chainId',
  label: 'Chain',
  kind: 'choice',
  isRequired: true,
  isKept: true,
  options: model.chains
    .filter(({ chainId }) => only === 'any' || chainId !== undefined)
    .map(
      ({ chain, chainId, name }) => [chainId === undefined ? chain : String(chainId), `${name} (${chain})`] as const,
    ),
})

/** EVM chains by their number, all others by their CAIP-2 id. */
const chainIn = (values: Values): object => {
  const chain = values.text('chainId')
  return /^[0-9]+$/.test(chain) ? { chainId: Number(chain) } : { chain }
}

const contractField: Field = {
  name: 'contractAddress',
  label: 'Contract',
  isRequired: true,
  isKept: true,
  maxLength: 64,
  pattern: anyAddress,
  mustBe: 'must be the address of a contract',
  hint: '0x…',
}

export const contract = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    { ...contractField, pattern: evmAddress, mustBe: beEvm },
    chainField(model, 'evm'),
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
    ...chainIn(values),
    walletAddress: person.address,
    method: values.text('method'),
  }),
})

export const nft = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    chainField(model, 'any'),
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
    ...chainIn(values),
    ownerAddress: person.address,
    ...(/^[0-9]+$/.test(values.text('chainId')) ? { tokenType: values.text('tokenType') } : {}),
  }),
})

export const token = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    chainField(model, 'any'),
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
    ...chainIn(values),
    ownerAddress: person.address,
  }),
})

/** Who judges may know some chains only: those that this server can ask come first. */
export const risk = ({ model, person }: Asked): VerifierForm => {
  const isEvm = person.address.startsWith('0x')
  const options = chainField(model, 'evm').options!
  return {
    submit: 'Check this wallet',
    fields: isEvm
      ? [
          {
            name: 'chainId',
            label: 'On which chain',
            kind: 'choice',
            isKept: true,
            options: options.some(([id]) => id === '1') ? options : [...options, ['', 'Ethereum']],
            ...(person.context.chainId === undefined ? {} : { value: String(person.context.chainId) }),
          },
        ]
      : [],
    data: (values) => ({
      walletAddress: person.address,
      ...(isEvm ? (values.given('chainId') === undefined ? {} : chainIn(values)) : { chain: 'sol' }),
    }),
  }
}
