import { Type } from '@sinclair/typebox'
import type { Hex } from '../../outside/chains/chain.ts'
import { defineChoice } from '../../shape.ts'
import { areSameAddress, normalizeAddress } from '../../wallet/account.ts'
import { ChainId, EvmAddress, lacksEvmChain, requireEvmChain, requireHolder } from '../assets/chain.ts'
import { makeReading, makeSnapshot, readContract } from '../assets/contract.ts'
import { findControl } from '../assets/control.ts'
import { makeRefuse } from '../assets/refuse.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { defineVerifier, type Evidence, fails, holds } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const refuse = makeRefuse('contract-ownership')

/**
 * `contract-ownership`: the subject controls a contract of an EVM chain now, by the `method` that it names. Says what the
 * contract says of itself: whether it then obeys its owner is not looked at.
 */
export const contractOwnership = defineVerifier({
  id: 'contract-ownership',
  category: 'ownership',
  description: 'A wallet is the owner or the admin of a contract, or holds its default admin role.',
  words,
  translations: { de: german },
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'contract_ownership_verified',
  allowsDelegatedSubject: true,
  compatibleWith: ['wallet-link', 'wallet-risk', 'agent-identity'],
  accounts: { paths: ['ownerAddress', 'walletAddress', 'contractAddress'] },
  data: Type.Object({
    contractAddress: EvmAddress,
    chainId: ChainId,
    walletAddress: Type.Optional(EvmAddress),
    method: Type.Optional(
      defineChoice(
        ['owner', 'admin', 'accessControl'],
        'owner (default): owner(). admin: the EIP-1967 admin of a proxy, else admin() or getAdmin(). accessControl: hasRole of the default admin role.',
      ),
    ),
  }),
  readsState: true,
  absentWithout: lacksEvmChain,

  examine({ subject, data }, { outside }) {
    const chain = requireEvmChain(data.chainId, outside.chains, '/chainId', refuse)
    const walletAddress = requireHolder(data.walletAddress, subject, chain, '/walletAddress', refuse)
    return areSameAddress(walletAddress, subject)
      ? undefined
      : fails('OWNER_MISMATCH', `data.walletAddress is ${walletAddress}, but the claim is about ${subject}`)
  },

  async verify(claim, { now, outside }) {
    const { subject, data } = claim
    const { chainId, method = 'owner' } = data
    const chain = requireEvmChain(chainId, outside.chains, '/chainId', refuse)
    const contract = normalizeAddress(data.contractAddress) as Hex
    const walletAddress = normalizeAddress(subject)
    requireSameChainSigner(claim, walletAddress, chain.chain, 'contract-ownership')

    const view = await chain.atReadPoint()
    const control = await readContract(view, contract, findControl[method](view, contract, walletAddress as Hex))
    if ('holds' in control) return control
    return holds(
      {
        input: { walletAddress, contractAddress: contract, chainId, method },
        onChainData: { ...control.facts, ...makeSnapshot(chain, view) },
        verificationMethod: method,
        sources: [...view.sources],
        verificationTimestamp: now,
      },
      { reading: makeReading(chain, view) },
    )
  },

  parameters: {
    contractAddress: sharedParameters.contractAddress,
    chainId: sharedParameters.chainId,
    ownerAddress: sharedParameters.ownerAddress,
    subjectWallet: sharedParameters.subjectWallet,
    verificationMethod: {
      kind: 'text',
      description:
        'Of contract-ownership: how control was shown: owner, admin or accessControl. Nothing matches any other text.',
    },
  },
  facts: ['contractAddress', 'subjectWallet'],

  writeScope({ input }: Evidence) {
    const { chainId, contractAddress, method, walletAddress } = input as Readonly<Record<string, unknown>>
    return `${chainId} ${contractAddress} ${method} ${walletAddress}`
  },
})
